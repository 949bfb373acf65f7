//! Two processes on one store: servers, or a server and a command.

use std::sync::Arc;

use kuraka_ports::contract::samples::{LATER, PERIOD, account, digest, latest, named_since, token};
use kuraka_ports::{AccountStatus, Accounts, Changed, Lease, Revision, Tokens};
use tokio::task::JoinSet;

use super::{Database, sqlite, stranger};

#[tokio::test]
async fn tokens_and_revocations_of_another_process_apply_at_once() {
    for database in Database::both().await {
        let (server, other) = (database.open().await, database.open().await);
        assert_eq!(Tokens::find(&*server, &digest(1)).await.unwrap(), None);

        let owner = account(&*other, 1).await;
        let made = Tokens::create(&*other, &token(owner.id, 1)).await.unwrap();
        assert_eq!(Tokens::find(&*server, &digest(1)).await.unwrap().unwrap().account, owner);

        let before = latest(&*server).await;
        other.revoke(None, made.id, LATER).await.unwrap();
        assert_eq!(Tokens::find(&*server, &digest(1)).await.unwrap(), None);
        assert_eq!(named_since(&*server, before).await, (vec![], vec![made.id]));
        other.set_status(owner.id, AccountStatus::Suspended).await.unwrap();
        assert_eq!(server.by_id(owner.id).await.unwrap().unwrap().status, AccountStatus::Suspended);
    }
}

/// Sixty callers lease from three handles until nothing is left; exactly the limit is granted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_never_lease_more_than_the_limit() {
    const LIMIT: u64 = 300;
    for database in Database::both().await {
        let processes = [database.open().await, database.open().await, database.open().await];
        let owner = account(&*processes[0], 1).await.id;
        let mut callers = JoinSet::new();
        for store in processes.iter().cycle().take(60) {
            let store = Arc::clone(store);
            callers.spawn(async move {
                let mut granted = 0;
                loop {
                    match store.lease(owner, PERIOD, LIMIT, 7).await {
                        Ok(Lease { granted: 0, .. }) => return granted,
                        Ok(lease) => granted += lease.granted,
                        // Too many waited: nothing was leased.
                        Err(refusal) => assert!(refusal.had_no_effect(), "{refusal:?}"),
                    }
                }
            });
        }
        assert_eq!(callers.join_all().await.iter().sum::<u64>(), LIMIT);
    }
}

#[tokio::test]
async fn an_unrecorded_change_reports_everything_changed() {
    for database in Database::both().await {
        let store = database.open().await;
        let owner = account(&*store, 1).await.id;
        let before = latest(&*store).await;
        store.set_status(owner, AccountStatus::Suspended).await.unwrap();
        // As a copy of another store does.
        database.execute("UPDATE revision SET value = value + 1").await;
        let between = latest(&*store).await;
        store.set_status(owner, AccountStatus::Active).await.unwrap();
        assert_eq!(store.changes(before).await.unwrap().what, Changed::Everything);
        assert_eq!(named_since(&*store, between).await, (vec![owner], vec![]));
    }
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
