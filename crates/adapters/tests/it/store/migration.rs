//! Migrations: creating and refusing schemas.

use std::collections::HashSet;
use std::path::Path;

use kuraka_adapters::store::{OpenStoreError, SqliteStore, Store};
use kuraka_ports::Tokens;
use kuraka_ports::contract::samples::account;
use sqlx::migrate::Migrator;
use tempfile::TempDir;
use tokio::task::JoinSet;

use super::{file, open, sqlite, stranger};

#[tokio::test]
async fn a_missing_folder_is_created() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("data").join("kuraka.db");
    let store = SqliteStore::open(&path, SqliteStore::BUSY_TIMEOUT).await.unwrap();
    account(&store, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_create_a_store_together_share_its_token_key() {
    let folder = TempDir::new().unwrap();
    let mut starts = JoinSet::new();
    for _ in 0..8 {
        let path = file(&folder);
        starts.spawn(async move { SqliteStore::open(&path, SqliteStore::BUSY_TIMEOUT).await });
    }
    let (store, mut keys) = (open(&folder).await, HashSet::new());
    for start in starts.join_all().await {
        keys.insert(start.unwrap().token_key().await.unwrap().0);
    }
    assert_eq!(keys, HashSet::from([store.token_key().await.unwrap().0]));
    account(&*store, 1).await;
}

/// Version, description and checksum of a migration, as a store records it.
pub(super) type Applied = (i64, String, Vec<u8>);

/// Reads the migrations that a store has applied.
pub(super) const APPLIED: &str = "SELECT version, description, checksum FROM _sqlx_migrations ORDER BY version";

/// Every migration file of a folder, as sqlx reads it.
pub(super) async fn files(folder: &str) -> Vec<Applied> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(folder);
    let files = Migrator::new(folder).await.unwrap();
    files.iter().map(|file| (file.version, file.description.to_string(), file.checksum.to_vec())).collect()
}

#[tokio::test]
async fn a_new_store_has_applied_every_migration_file() {
    let (_store, folder) = sqlite().await;
    let applied: Vec<Applied> = sqlx::query_as(APPLIED).fetch_all(&mut stranger(&folder).await).await.unwrap();
    assert_eq!(applied, files("sqlite").await);
}

#[tokio::test]
async fn a_newer_schema_is_refused_and_left_unchanged() {
    let (store, folder) = sqlite().await;
    store.close().await;
    let mut stranger = stranger(&folder).await;
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (9000, 'from the future', TRUE, x'00', 0)",
    )
    .execute(&mut stranger)
    .await
    .unwrap();
    let refusal = SqliteStore::open(&file(&folder), SqliteStore::BUSY_TIMEOUT).await.unwrap_err();
    assert!(matches!(refusal, OpenStoreError::Newer { found: 9000, .. }), "{refusal:?}");
    assert!(refusal.to_string().contains("run the newer version"), "{refusal}");
}

#[tokio::test]
async fn an_unreleased_migration_is_refused() {
    let (store, folder) = sqlite().await;
    store.close().await;
    sqlx::query("UPDATE _sqlx_migrations SET checksum = x'00'").execute(&mut stranger(&folder).await).await.unwrap();
    let refusal = SqliteStore::open(&file(&folder), SqliteStore::BUSY_TIMEOUT).await.unwrap_err();
    assert!(matches!(refusal, OpenStoreError::Altered { version: 1, .. }), "{refusal:?}");
}
