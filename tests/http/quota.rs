//! The plan under a crowd: exactly so many, however many ask at once.

use std::sync::Arc;

use kuraka_app::calendar;
use kuraka_ports::UsageLedger;
use kuraka_sandbox::sample;
use tokio::task::JoinSet;

use crate::app::{App, Owner, eventually, now, scene};
use crate::wire::Wire;

/// What a crowd was told.
#[derive(Default)]
struct Told {
    found: u64,
    refused: u64,
}

/// So many clients, each with a connection of its own, share so many attempts.
async fn crowd(app: &App, owner: &Owner, clients: u64, attempts: u64) -> Told {
    let request = Arc::new(app.post("/ruc").token(&owner.token).ruc(sample::COMPANY));
    let (api, each) = (app.api, attempts / clients);
    let mut crowd = JoinSet::new();
    for _ in 0..clients {
        let request = Arc::clone(&request);
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_clients_get_exactly_the_plan() {
    let app = scene().plan(1_000, 1_000_000, 1_000_000).start().await;
    let owner = app.owner().await;
    let told = crowd(&app, &owner, 200, 10_000).await;
    assert_eq!((told.found, told.refused), (1_000, 9_000));
    assert_eq!(app.used(&owner).await, 1_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_plan_in_leases_is_used_to_its_last_query_and_not_one_further() {
    const PLAN: u64 = 100_000;
    const LEFT: u64 = 2_000;
    let app = scene().plan(PLAN, 1_000_000, 1_000_000).start().await;
    let owner = app.owner().await;
    // The month so far, as another process would have used it.
    let period = calendar::period(now());
    let before = app.store.lease(owner.account, period, PLAN, PLAN - LEFT).await.unwrap();
    assert_eq!(before.granted, PLAN - LEFT);
    let told = crowd(&app, &owner, 50, 4_000).await;
    assert_eq!((told.found, told.refused), (LEFT, 4_000 - LEFT));
    assert_eq!(app.used(&owner).await, PLAN);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_idle_lease_goes_back_and_so_does_every_lease_when_the_server_stops() {
    let mut app = scene().plan(100_000, 1_000_000, 1_000_000).start().await;
    let owner = app.owner().await;
    let ask = async || app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    ask().await.found();
    assert_eq!(app.used(&owner).await, 1_000, "one in a hundred of the plan is leased");
    eventually("the idle lease is back", async || (app.used(&owner).await == 1).then_some(())).await;
    ask().await.found();
    assert!(app.used(&owner).await > 900);
    app.stop().await;
    assert_eq!(app.used(&owner).await, 2);
}
