//! Many concurrent clients of one account, on one server or on several.

use std::sync::Arc;

use kuraka_sandbox::sample;
use tokio::task::JoinSet;

use crate::app::{App, Owner};
use crate::request::Request;
use crate::wire::Wire;

/// The answers that the clients got.
#[derive(Debug, Default)]
pub(crate) struct Told {
    pub(crate) found: u64,
    /// Answers that the plan is used up.
    pub(crate) refused: u64,
}

/// Items of a list that a client sends.
pub(crate) const BATCH: u64 = 37;

/// Runs this many clients that look up a RUC, see [`crowd_of`].
pub(crate) async fn crowd(apps: &[App], owner: &Owner, clients: usize, attempts: usize) -> Told {
    crowd_of(apps, |app| app.post("/ruc").token(&owner.token).ruc(sample::COMPANY), clients, attempts).await
}

/// Runs this many clients, each with its own connection to one of the servers in turn, until all attempts are made.
pub(crate) async fn crowd_of(apps: &[App], request: impl Fn(&App) -> Request, clients: usize, attempts: usize) -> Told {
    let mut crowd = JoinSet::new();
    for client in 0..clients {
        let app = &apps[client % apps.len()];
        let request = Arc::new(request(app));
        let (api, each) = (app.api, attempts / clients);
        crowd.spawn(async move {
            let mut wire = Wire::open(api).await;
            let mut told = Told::default();
            for _ in 0..each {
                let answer = wire.ask(&request).await;
                match answer.status {
                    200 => told.found += 1,
                    _ => {
                        answer.refused("quota_exceeded");
                        told.refused += 1;
                    }
                }
            }
            told
        });
    }
    let add = |sum: Told, told: Told| Told { found: sum.found + told.found, refused: sum.refused + told.refused };
    crowd.join_all().await.into_iter().fold(Told::default(), add)
}
