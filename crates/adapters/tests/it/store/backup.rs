//! Backups of a store that is used, and their restore.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use kuraka_adapters::store::{OpenStoreError, Schema, SqliteStore};
use kuraka_ports::contract::samples::{HASH, NOW, PERIOD, account, email};
use kuraka_ports::{Accounts, SecretDigest, Sessions, UsageLedger};
use sqlx::{Connection, Executor};
use tempfile::TempDir;

use super::{file, open, sqlite, stranger};

/// A store with an account, and its backup.
async fn backed_up() -> (TempDir, PathBuf) {
    let (store, folder) = sqlite().await;
    account(&*store, 1).await;
    let backup = folder.path().join("backup.db");
    SqliteStore::back_up(&file(&folder), &backup).await.unwrap();
    (folder, backup)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = entries.collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_backup_is_its_owners_alone_and_leaves_nothing_else() {
    let (folder, backup) = backed_up().await;
    assert_eq!(fs::metadata(&backup).unwrap().permissions().mode() & 0o777, 0o600);
    let found = names(folder.path());
    assert!(found.iter().all(|name| name == "backup.db" || name.starts_with("kuraka.db")), "{found:?}");
}

#[tokio::test]
async fn the_replaced_store_is_kept_with_its_log() {
    let (folder, backup) = backed_up().await;
    let elsewhere = TempDir::new().unwrap();
    // A killed server leaves its log, here as copies of the files while they are open.
    let live = open(&folder).await;
    account(&*live, 2).await;
    for suffix in ["", "-wal", "-shm"] {
        let name = format!("kuraka.db{suffix}");
        fs::copy(folder.path().join(&name), elsewhere.path().join(&name)).unwrap();
    }
    let (contents, before) = SqliteStore::restore(&backup, &file(&elsewhere)).await.unwrap();
    assert_eq!(contents.accounts, 1);
    assert_eq!(names(elsewhere.path()), ["kuraka.db", "kuraka.db.before", "kuraka.db.before-wal"]);
    assert_eq!(fs::metadata(file(&elsewhere)).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(Accounts::find(&*open(&elsewhere).await, &email(2)).await.unwrap().is_none());
    // A second one does not take its place.
    let (_, second) = SqliteStore::restore(&backup, &file(&elsewhere)).await.unwrap();
    assert_eq!(
        [&before, &second],
        ["kuraka.db.before", "kuraka.db.before-2"].map(|name| elsewhere.path().join(name)).each_ref()
    );
    let before = SqliteStore::open(&before, SqliteStore::BUSY_TIMEOUT).await.unwrap();
    assert!(Accounts::find(&before, &email(2)).await.unwrap().is_some());
}

#[tokio::test]
async fn sessions_are_not_restored() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await.id;
    store.set_password_hash(owner, HASH).await.unwrap();
    let session = SecretDigest([7; 32]);
    store.begin(&session, owner, HASH, NOW, None).await.unwrap();
    let backup = folder.path().join("backup.db");
    SqliteStore::back_up(&file(&folder), &backup).await.unwrap();
    let elsewhere = TempDir::new().unwrap();
    SqliteStore::restore(&backup, &file(&elsewhere)).await.unwrap();
    assert!(Sessions::find(&*open(&elsewhere).await, &session).await.unwrap().is_none());
}

#[tokio::test]
async fn a_newer_foreign_or_damaged_file_is_not_restored() {
    let (folder, backup) = backed_up().await;
    let whole = fs::read(&backup).unwrap();
    let refused = async |bytes: &[u8], change: &'static str| {
        let elsewhere = TempDir::new().unwrap();
        fs::write(file(&elsewhere), "as it was").unwrap();
        let bad = folder.path().join("bad.db");
        fs::write(&bad, bytes).unwrap();
        if !change.is_empty() {
            let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&bad);
            let mut connection = sqlx::SqliteConnection::connect_with(&options).await.unwrap();
            connection.execute(change).await.unwrap();
            connection.close().await.unwrap();
        }
        let error = SqliteStore::restore(&bad, &file(&elsewhere)).await.unwrap_err();
        assert_eq!(names(elsewhere.path()), ["kuraka.db"], "{error}");
        assert_eq!(fs::read(file(&elsewhere)).unwrap(), b"as it was");
        assert!(error.to_string().contains("bad.db"), "{error}");
        error
    };
    let newer = "INSERT INTO _sqlx_migrations VALUES (9000, 'x', CURRENT_TIMESTAMP, TRUE, x'00', 0)";
    assert!(matches!(refused(&whole, newer).await, OpenStoreError::Newer { found: 9000, .. }));
    assert!(matches!(refused(b"", "CREATE TABLE other (x)").await, OpenStoreError::Foreign { .. }));
    assert!(matches!(refused(b"", "").await, OpenStoreError::Foreign { .. }));
    assert!(matches!(refused(b"RUC|NOMBRE", "").await, OpenStoreError::File { .. }));
    assert!(matches!(refused(&whole[..whole.len() / 2], "").await, OpenStoreError::File { .. }));
    // The e-mail address in its index only, between the account and its line of the audit log.
    let mut damaged = whole.clone();
    let places = damaged.windows(16).enumerate().filter(|(_, bytes)| bytes == b"user1@example.pe");
    let at = places.map(|(at, _)| at).nth(1).unwrap();
    damaged[at] = b'x';
    assert!(matches!(refused(&damaged, "").await, OpenStoreError::File { .. }));
    assert!(SqliteStore::verify(&folder.path().join("bad.db")).await.is_err());
    assert_eq!(SqliteStore::verify(&backup).await.unwrap(), Schema::Current);
}

#[tokio::test]
async fn a_missing_backup_is_not_restored() {
    let folder = TempDir::new().unwrap();
    SqliteStore::restore(&folder.path().join("none.db"), &file(&folder)).await.unwrap_err();
    assert_eq!(names(folder.path()), [""; 0]);
}

#[tokio::test]
async fn a_backup_neither_waits_for_a_writer_nor_lets_one_wait() {
    let (store, folder) = sqlite().await;
    let owner = account(&*store, 1).await.id;
    let mut writer = stranger(&folder).await;
    let hold = writer.begin_with("BEGIN IMMEDIATE").await.unwrap();
    SqliteStore::back_up(&file(&folder), &folder.path().join("backup.db")).await.unwrap();
    hold.rollback().await.unwrap();
    store.lease(owner, PERIOD, 10, 1).await.unwrap();
}
