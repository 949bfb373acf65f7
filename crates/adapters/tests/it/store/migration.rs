//! Migrations: creating and refusing schemas.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use kuraka_adapters::store::{OpenStoreError, SqliteStore};
use kuraka_ports::contract::samples::account;
use kuraka_ports::contract::together;
use sqlx::migrate::Migrator;
use tempfile::TempDir;

use super::{Database, stranger};
use crate::postgres::shell;

#[tokio::test]
async fn a_missing_folder_is_created() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("data").join("kuraka.db");
    let store = SqliteStore::open(&path, SqliteStore::BUSY_TIMEOUT).await.unwrap();
    account(&store, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_create_a_store_together_share_its_token_key() {
    for database in Database::both().await {
        let address = Arc::new(database.address());
        let starts = together(&address, 0..8, |address, _| async move { address.open().await }).await;
        let (store, mut keys) = (database.open().await, HashSet::new());
        for start in starts {
            keys.insert(start.unwrap().token_key().await.unwrap().0);
        }
        assert_eq!(keys, HashSet::from([store.token_key().await.unwrap().0]));
        account(&*store, 1).await;
    }
}

/// Version, description and checksum of a migration.
type Applied = (i64, String, Vec<u8>);

#[tokio::test]
async fn a_new_store_has_applied_every_migration_file() {
    const APPLIED: &str = "SELECT version, description, checksum FROM _sqlx_migrations ORDER BY version";
    for database in Database::both().await {
        database.open().await.close().await;
        let (applied, folder): (Vec<Applied>, _) = match &database {
            Database::Sqlite(folder) => {
                (sqlx::query_as(APPLIED).fetch_all(&mut stranger(folder).await).await.unwrap(), "sqlite")
            }
            Database::Postgres(address) => {
                (sqlx::query_as(APPLIED).fetch_all(&mut shell(address).await).await.unwrap(), "postgres")
            }
        };
        let files = Migrator::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(folder)).await.unwrap();
        let files = files.iter().map(|file| (file.version, file.description.to_string(), file.checksum.to_vec()));
        assert_eq!(applied, files.collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_newer_or_unreleased_schema_is_refused_and_left_unchanged() {
    for database in Database::both().await {
        database.open().await.close().await;
        database.execute("UPDATE _sqlx_migrations SET version = 9000").await;
        let refusal = database.address().open().await.err().unwrap();
        assert!(matches!(refusal, OpenStoreError::Newer { found: 9000, .. }), "{refusal:?}");
        assert!(refusal.to_string().contains("run the newer version"), "{refusal}");
        database.execute("UPDATE _sqlx_migrations SET version = 1, description = 'x', checksum = ''").await;
        let refusal = database.address().open().await.err().unwrap();
        assert!(matches!(refusal, OpenStoreError::Altered { version: 1, .. }), "{refusal:?}");
    }
}
