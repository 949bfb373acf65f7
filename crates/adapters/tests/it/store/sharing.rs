//! Two processes on one file: a server, and a command beside it.

use super::{lease_to_the_limit, open, sqlite, stranger};
use kuraka_ports::contract::samples::{LATER, account, digest, token};
use kuraka_ports::{AccountStatus, Tokens};

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
    let (first, folder) = sqlite().await;
    let owner = account(&*first, 1).await.id;
    lease_to_the_limit([first, open(&folder).await, open(&folder).await], owner).await;
}
