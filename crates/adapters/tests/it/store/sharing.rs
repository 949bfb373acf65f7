//! Two processes on one file: a server and a command.

use super::{lease_to_the_limit, open, sqlite, stranger};
use kuraka_ports::contract::samples::{LATER, account, digest, latest, named_since, token};
use kuraka_ports::{AccountStatus, Accounts, Changed, Revision, Tokens};

#[tokio::test]
async fn a_commands_tokens_and_revocations_apply_at_once() {
    let (server, folder) = sqlite().await;
    let command = open(&folder).await;
    assert_eq!(Tokens::find(&*server, &digest(1)).await.unwrap(), None);

    let owner = account(&*command, 1).await;
    let made = Tokens::create(&*command, &token(owner.id, 1)).await.unwrap();
    assert_eq!(Tokens::find(&*server, &digest(1)).await.unwrap().unwrap().account, owner);

    let before = latest(&*server).await;
    command.revoke(None, made.id, LATER).await.unwrap();
    assert_eq!(Tokens::find(&*server, &digest(1)).await.unwrap(), None);
    assert_eq!(named_since(&*server, before).await, (vec![], vec![made.id]));
}

#[tokio::test]
async fn a_credential_shows_that_its_account_is_suspended() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await;
    Tokens::create(&*store, &token(owner.id, 1)).await.unwrap();
    sqlx::query("UPDATE account SET status = 'suspended'").execute(&mut stranger(&folder).await).await.unwrap();
    let found = Tokens::find(&*store, &digest(1)).await.unwrap().unwrap();
    assert_eq!(found.account.status, AccountStatus::Suspended);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_never_lease_more_than_the_limit() {
    let (first, folder) = sqlite().await;
    let owner = account(&*first, 1).await.id;
    lease_to_the_limit([first, open(&folder).await, open(&folder).await], owner).await;
}

#[tokio::test]
async fn an_unrecorded_change_reports_everything_changed() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await.id;
    let before = latest(&*store).await;
    store.set_status(owner, AccountStatus::Suspended).await.unwrap();
    // As a copy of another store does.
    sqlx::query("UPDATE revision SET value = value + 1").execute(&mut stranger(&folder).await).await.unwrap();
    let between = latest(&*store).await;
    store.set_status(owner, AccountStatus::Active).await.unwrap();
    assert_eq!(store.changes(before).await.unwrap().what, Changed::Everything);
    assert_eq!(named_since(&*store, between).await, (vec![owner], vec![]));
}

#[tokio::test]
async fn only_the_latest_changes_are_kept() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await.id;
    let before = latest(&*store).await;
    sqlx::query(
        "WITH RECURSIVE numbers(number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM numbers WHERE number < 5119)
         INSERT INTO change (number, previous, account) SELECT number, epoch, 1 FROM numbers, revision",
    )
    .execute(&mut stranger(&folder).await)
    .await
    .unwrap();
    sqlx::query("UPDATE revision SET value = 5119").execute(&mut stranger(&folder).await).await.unwrap();
    assert_eq!(named_since(&*store, before).await.0.len(), 5_118, "none is pruned yet");
    store.set_status(owner, AccountStatus::Suspended).await.unwrap();
    assert_eq!(latest(&*store).await.number, 5_120);
    assert_eq!(store.changes(before).await.unwrap().what, Changed::Everything);
    let kept = Revision { number: 5_120 - 4_096, ..before };
    assert_eq!(named_since(&*store, kept).await.0.len(), 4_096);
}
