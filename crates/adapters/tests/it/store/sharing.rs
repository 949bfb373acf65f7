//! Two processes on one file: a server, and a command beside it.

use std::sync::Arc;

use super::{open, sqlite, stranger};
use kuraka_ports::contract::samples::{LATER, PERIOD, account, digest, token};
use kuraka_ports::{AccountStatus, Tokens, UsageLedger};
use tokio::task::JoinSet;

#[tokio::test]
async fn a_token_made_by_a_command_works_at_once_and_stops_at_once() {
    let (server, folder) = sqlite().await;
    let command = open(&folder).await;
    assert_eq!(Tokens::find(&*server, &digest(1)).await.unwrap(), None);

    let owner = account(&*command, 1).await;
    let made = Tokens::create(&*command, &token(owner.id, 1)).await.unwrap();
    assert_eq!(Tokens::find(&*server, &digest(1)).await.unwrap().unwrap().account, owner);

    let before = server.revision().await.unwrap();
    command.revoke(made.id, LATER).await.unwrap();
    assert_eq!(Tokens::find(&*server, &digest(1)).await.unwrap(), None);
    assert!(server.revision().await.unwrap() > before);
}

#[tokio::test]
async fn a_suspended_account_shows_behind_its_token() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await;
    Tokens::create(&*store, &token(owner.id, 1)).await.unwrap();
    sqlx::query("UPDATE account SET status = 'suspended'").execute(&mut stranger(&folder).await).await.unwrap();
    let found = Tokens::find(&*store, &digest(1)).await.unwrap().unwrap();
    assert_eq!(found.account.status, AccountStatus::Suspended);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leasers_in_several_processes_never_pass_the_limit_together() {
    const LIMIT: u64 = 300;
    let (first, folder) = sqlite().await;
    let owner = account(&*first, 1).await.id;
    let processes = [first, open(&folder).await, open(&folder).await];
    let mut callers = JoinSet::new();
    for caller in 0..60 {
        let store = Arc::clone(&processes[caller % 3]);
        callers.spawn(async move {
            let mut granted = 0;
            loop {
                match store.lease(owner, PERIOD, LIMIT, 7).await.unwrap().granted {
                    0 => return granted,
                    more => granted += more,
                }
            }
        });
    }
    assert_eq!(callers.join_all().await.iter().sum::<u64>(), LIMIT);
}
