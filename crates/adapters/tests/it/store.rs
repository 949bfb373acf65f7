//! The stores on both databases.

mod audit;
mod backup;
mod damage;
mod lock;
mod migration;
mod postgres;
mod sharing;
mod sqlite;
mod stopped;

use std::sync::Arc;

use kuraka_adapters::store::{SqliteStore, Store, StoreAddress};
use sqlx::Executor;
use tempfile::TempDir;

/// A database without a store.
enum Database {
    Sqlite(TempDir),
    Postgres(String),
}

impl Database {
    /// One of each kind.
    async fn both() -> [Self; 2] {
        [Self::Sqlite(TempDir::new().unwrap()), Self::Postgres(crate::postgres::database().await)]
    }

    fn address(&self) -> StoreAddress {
        match self {
            Self::Sqlite(folder) => StoreAddress::Sqlite(file(folder)),
            Self::Postgres(address) => StoreAddress::Postgres(address.parse().unwrap()),
        }
    }

    /// A handle on the store, like that of another process.
    async fn open(&self) -> Arc<dyn Store> {
        self.address().open().await.unwrap()
    }

    /// Without Kuraka's code.
    async fn execute(&self, statement: &'static str) {
        match self {
            Self::Sqlite(folder) => stranger(folder).await.execute(statement).await.map(drop).unwrap(),
            Self::Postgres(address) => {
                crate::postgres::shell(address).await.execute(statement).await.map(drop).unwrap();
            }
        }
    }
}

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
