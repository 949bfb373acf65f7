//! The stores on both databases.

mod audit;
mod backup;
mod damage;
mod lock;
mod migration;
mod postgres;
mod sharing;
mod sqlite;

use std::sync::Arc;

use kuraka_adapters::store::SqliteStore;
use kuraka_ports::contract::samples::PERIOD;
use kuraka_ports::{AccountId, Lease, UsageLedger};
use tempfile::TempDir;
use tokio::task::JoinSet;

/// A fresh store, and the folder it lives in.
async fn sqlite() -> (Arc<SqliteStore>, TempDir) {
    let folder = TempDir::new().unwrap();
    (open(&folder).await, folder)
}

/// Another handle on the store in `folder`, like that of another process.
async fn open(folder: &TempDir) -> Arc<SqliteStore> {
    Arc::new(SqliteStore::open(&file(folder), SqliteStore::BUSY_TIMEOUT).await.unwrap())
}

fn file(folder: &TempDir) -> std::path::PathBuf {
    folder.path().join("kuraka.db")
}

/// A plain database connection, to read or change the file directly.
async fn stranger(folder: &TempDir) -> sqlx::SqliteConnection {
    use sqlx::ConnectOptions;
    sqlx::sqlite::SqliteConnectOptions::new().filename(file(folder)).connect().await.unwrap()
}

/// Sixty callers lease from three handles on one store until nothing is left; exactly the limit is granted.
async fn lease_to_the_limit(processes: [Arc<impl UsageLedger>; 3], owner: AccountId) {
    const LIMIT: u64 = 300;
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
