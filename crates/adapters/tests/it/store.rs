//! The stores.

mod damage;
mod lock;
mod migration;
mod postgres;
mod sharing;
mod sqlite;

use std::sync::Arc;

use kuraka_adapters::store::SqliteStore;
use tempfile::TempDir;

/// A fresh store, and the folder it lives in.
async fn sqlite() -> (Arc<SqliteStore>, TempDir) {
    let folder = TempDir::new().unwrap();
    (open(&folder).await, folder)
}

/// Another handle on the store in `folder`, as another process would have.
async fn open(folder: &TempDir) -> Arc<SqliteStore> {
    Arc::new(SqliteStore::open(&file(folder), SqliteStore::BUSY_TIMEOUT).await.unwrap())
}

fn file(folder: &TempDir) -> std::path::PathBuf {
    folder.path().join("kuraka.db")
}

/// A connection that knows nothing of Kuraka, to look at the file or to disturb it.
async fn stranger(folder: &TempDir) -> sqlx::SqliteConnection {
    use sqlx::ConnectOptions;
    sqlx::sqlite::SqliteConnectOptions::new().filename(file(folder)).connect().await.unwrap()
}
