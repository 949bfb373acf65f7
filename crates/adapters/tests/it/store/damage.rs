//! Locked, full, damaged and foreign files.

use std::error::Error;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::store::{OpenStoreError, SqliteStore, Store};
use kuraka_ports::contract::samples::{PERIOD, account, digest, email, plan, token};
use kuraka_ports::{Accounts, Membership, ServerId, StoreErrorKind, Tokens, UsageLedger};
use sqlx::Connection;
use tempfile::TempDir;
use tokio::task::JoinSet;

use super::{file, open, sqlite, stranger};

#[tokio::test]
async fn a_file_that_is_no_database_is_refused_with_its_cause() {
    let folder = TempDir::new().unwrap();
    fs::write(file(&folder), "RUC|NOMBRE O RAZÓN SOCIAL|".repeat(1000)).unwrap();
    let refusal = SqliteStore::open(&file(&folder), SqliteStore::BUSY_TIMEOUT).await.unwrap_err();
    assert!(matches!(refusal, OpenStoreError::File { .. }), "{refusal:?}");
    assert!(refusal.source().unwrap().to_string().contains("not a database"));
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_refused() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("data"), "a file where the folder should be").unwrap();
    let path = folder.path().join("data").join("kuraka.db");
    let refusal = SqliteStore::open(&path, SqliteStore::BUSY_TIMEOUT).await.unwrap_err();
    assert!(matches!(refusal, OpenStoreError::Create { .. }), "{refusal:?}");
}

#[tokio::test]
async fn a_locked_store_reads_but_cannot_write() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await;
    store.close().await;
    let store = SqliteStore::open(&file(&folder), Duration::from_millis(1)).await.unwrap();
    let mut stranger = stranger(&folder).await;
    let hold = stranger.begin_with("BEGIN IMMEDIATE").await.unwrap();

    assert_eq!(Accounts::find(&store, &owner.email).await.unwrap(), Some(owner.clone()));
    let refusal = store.lease(owner.id, PERIOD, 10, 1).await.unwrap_err();
    assert_eq!(refusal.kind, StoreErrorKind::Unwritable);
    assert!(refusal.source().is_some());
    let refusal = store.set_password_hash(owner.id, "$argon2id$").await.unwrap_err();
    assert_eq!(refusal.kind, StoreErrorKind::Unwritable);

    hold.rollback().await.unwrap();
    assert_eq!(store.lease(owner.id, PERIOD, 10, 1).await.unwrap().used, 1);
}

/// SQLite answers as on a full disk if a table has used its largest row number.
#[tokio::test]
async fn a_full_store_cannot_write_and_says_why() {
    let (store, folder) = sqlite().await;
    account(&*store, 1).await;
    let fill = "UPDATE sqlite_sequence SET seq = 9223372036854775807 WHERE name = 'account'";
    sqlx::query(fill).execute(&mut stranger(&folder).await).await.unwrap();
    let refusal = Accounts::create(&*store, &email(2), &plan(), None, jiff::Timestamp::UNIX_EPOCH).await.unwrap_err();
    assert_eq!(refusal.kind, StoreErrorKind::Unwritable);
    let cause = refusal.source().unwrap().to_string();
    assert!(cause.contains("full"), "{cause}");
}

/// On one thread, tasks begin in the order of their spawns: the heartbeat waits behind all leases.
#[tokio::test]
async fn a_heartbeat_behind_too_many_leases_succeeds_while_leases_are_written() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await.id;
    let beat_behind = async |leases: usize| {
        let mut waiting = JoinSet::new();
        for _ in 0..leases {
            let store = Arc::clone(&store);
            waiting.spawn(async move { store.lease(owner, PERIOD, 1_000_000, 1).await });
        }
        let beating = Arc::clone(&store);
        let beat = tokio::spawn(async move { beating.beat(ServerId([1; 16])).await });
        (beat.await.unwrap(), waiting.join_all().await)
    };
    let (beat, leases) = beat_behind(40_000).await;
    assert!(leases.iter().any(Result::is_ok));
    let late = leases.iter().find_map(|lease| lease.as_ref().err()).expect("a queue longer than its timeout");
    assert!(late.kind == StoreErrorKind::Unavailable && late.had_no_effect(), "{late:?}");
    beat.unwrap();

    let mut stranger = stranger(&folder).await;
    let _hold = stranger.begin_with("BEGIN IMMEDIATE").await.unwrap();
    store.beat(ServerId([1; 16])).await.unwrap_err();
    let (beat, leases) = beat_behind(10).await;
    assert!(leases.iter().all(Result::is_err));
    assert!(beat.unwrap_err().had_no_effect(), "the lock must be noticed");
}

/// Leases of several accounts are one transaction. If it stayed open, a later lease would be answered uncommitted.
#[tokio::test]
async fn leases_that_fail_half_way_release_the_file() {
    let (store, folder) = sqlite().await;
    let [one, two, three] = [account(&*store, 1).await, account(&*store, 2).await, account(&*store, 3).await];
    let lease_both = async || tokio::join!(store.lease(one.id, PERIOD, 10, 1), store.lease(two.id, PERIOD, 10, 1));
    let (first, second) = lease_both().await;
    assert_eq!((first.unwrap().used, second.unwrap().used), (1, 1));

    let mut stranger = stranger(&folder).await;
    let refuse = "CREATE TRIGGER refuse BEFORE UPDATE ON usage BEGIN SELECT RAISE(ABORT, 'refused'); END";
    sqlx::query(refuse).execute(&mut stranger).await.unwrap();
    let (first, second) = lease_both().await;
    assert!(first.is_err() && second.is_err(), "{first:?} {second:?}");

    assert_eq!(store.lease(three.id, PERIOD, 10, 1).await.unwrap().used, 1);
    let committed: Result<i64, _> = sqlx::query_scalar("SELECT sum(used) FROM usage").fetch_one(&mut stranger).await;
    assert_eq!(committed.unwrap(), 3);
    sqlx::query("DROP TRIGGER refuse").execute(&mut stranger).await.unwrap();
    let (first, second) = lease_both().await;
    assert_eq!((first.unwrap().used, second.unwrap().used), (2, 2));
}

#[tokio::test]
async fn a_damaged_store_returns_errors_not_wrong_data() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await;
    Tokens::create(&*store, &token(owner.id, 1)).await.unwrap();
    store.close().await;
    // The first page says what tables there are; the others hold the rows.
    let mut bytes = fs::read(file(&folder)).unwrap();
    bytes[4096..].fill(0xff);
    fs::write(file(&folder), bytes).unwrap();

    match SqliteStore::open(&file(&folder), SqliteStore::BUSY_TIMEOUT).await {
        Err(OpenStoreError::File { .. }) => {}
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_row_with_an_unknown_value_is_unreadable() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await;
    Tokens::create(&*store, &token(owner.id, 1)).await.unwrap();
    sqlx::query("UPDATE account SET plan = 'Not A Plan'").execute(&mut stranger(&folder).await).await.unwrap();
    assert_eq!(Accounts::find(&*store, &owner.email).await.unwrap_err().kind, StoreErrorKind::Unreadable);
    assert_eq!(Tokens::find(&*store, &digest(1)).await.unwrap_err().kind, StoreErrorKind::Unreadable);
}

#[tokio::test]
async fn a_closed_store_is_unavailable() {
    let (store, folder) = sqlite().await;
    store.close().await;
    let refusal = Accounts::create(&*store, &email(1), &plan(), None, jiff::Timestamp::UNIX_EPOCH).await.unwrap_err();
    assert_eq!(refusal.kind, StoreErrorKind::Unavailable);
    account(&*open(&folder).await, 1).await;
}
