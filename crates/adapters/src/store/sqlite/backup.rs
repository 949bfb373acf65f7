//! Copies a store to a file while it is used, and replaces a store by such a copy.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf, absolute};

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::SqliteStore;
use super::open::MIGRATIONS;
use crate::files::{self, sync_folder};
use crate::store::open::APPLIED;
use crate::store::{Contents, OpenStoreError, Schema, Store};

impl SqliteStore {
    /// Writes the store as of one moment to a new file, synced and readable by its owner only. Waits for no writer and
    /// blocks none. The file appears under its name once it is whole and checked.
    ///
    /// # Errors
    /// [`OpenStoreError`]; nothing is left behind.
    pub async fn back_up(store: &Path, to: &Path) -> Result<(), OpenStoreError> {
        let partial = to.with_added_extension("partial");
        let written = async {
            copy(&mut connect(store).await?, store, &partial).await?;
            check(connect(&partial).await?, &partial).await?;
            files::replace(&partial, to).map_err(created(to))
        };
        let written = written.await;
        let _ = fs::remove_file(&partial);
        written
    }

    /// Replaces the store, which no server may use, by a backup. The old one is kept as `….before`, `….before-2` and so
    /// on. Sessions and mails are not restored, because some may have ended or been sent since. Returns the store's contents and the old one's
    /// path.
    ///
    /// # Errors
    /// [`OpenStoreError`] if the backup is damaged, is no store, or has a newer schema. The store is unchanged then.
    pub async fn restore(backup: &Path, store: &Path) -> Result<(Contents, PathBuf), OpenStoreError> {
        let fresh = store.with_added_extension("restoring");
        let restored = async {
            let mut source = connect(backup).await?;
            copy(&mut source, backup, &fresh).await?;
            check(source, backup).await?;
            let contents = prepare(&fresh, backup).await?;
            let before = replace(store, &fresh).map_err(created(store))?;
            Ok((contents, before))
        };
        let restored = restored.await;
        for suffix in ["", "-wal", "-shm", ".lock"] {
            let _ = fs::remove_file(beside(&fresh, suffix));
        }
        restored
    }

    /// Verifies a store beside servers, without a change: reads all of it, and takes the write lock.
    ///
    /// # Errors
    /// [`OpenStoreError`] if it is damaged, unwritable, or newer than this version.
    pub async fn verify(file: &Path) -> Result<Schema, OpenStoreError> {
        if !file.exists() {
            return Ok(Schema::None);
        }
        check(connect(file).await?, file).await?;
        let mut connection = connect(file).await?;
        let locked = connection.begin_with("BEGIN IMMEDIATE").await.map_err(opened(file))?;
        locked.rollback().await.map_err(opened(file))?;
        let applied = sqlx::query_scalar(APPLIED).fetch_one(&mut connection).await.map_err(opened(file))?;
        Schema::from_version(Some(applied), &MIGRATIONS, file.display().to_string())
    }
}

/// Opens a file without creating or migrating it.
async fn connect(file: &Path) -> Result<SqliteConnection, OpenStoreError> {
    SqliteConnectOptions::new()
        .filename(file)
        .busy_timeout(SqliteStore::BUSY_TIMEOUT)
        .connect()
        .await
        .map_err(opened(file))
}

/// Writes a connection's view of its file to another file, replacing it.
async fn copy(from: &mut SqliteConnection, file: &Path, to: &Path) -> Result<(), OpenStoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = fs::remove_file(to);
    let target = options.open(to).map_err(created(to))?;
    // SQLite would read a relative name such as `file:x` as a URI.
    let path = absolute(to).map_err(created(to))?;
    let path = path.to_str().ok_or_else(|| created(to)(io::Error::other("its path is not UTF-8")))?;
    sqlx::query("VACUUM INTO $1").bind(path).execute(from).await.map_err(opened(file))?;
    target.sync_all().map_err(created(to))
}

async fn check(mut connection: SqliteConnection, file: &Path) -> Result<(), OpenStoreError> {
    let tables = "SELECT count(*) FROM sqlite_schema WHERE name IN ('_sqlx_migrations', 'token_key')";
    let tables: i64 = sqlx::query_scalar(tables).fetch_one(&mut connection).await.map_err(opened(file))?;
    if tables != 2 {
        return Err(OpenStoreError::Foreign { file: file.display().to_string() });
    }
    let found = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut connection).await;
    let found: String = found.map_err(opened(file))?;
    connection.close().await.map_err(opened(file))?;
    if found == "ok" { Ok(()) } else { Err(opened(file)(sqlx::Error::Protocol(found))) }
}

/// Migrates a copy of a backup, ends its sessions, drops its mails with their codes, and counts its contents.
async fn prepare(fresh: &Path, backup: &Path) -> Result<Contents, OpenStoreError> {
    let failed = |source| OpenStoreError::File { store: backup.display().to_string(), source };
    let store = SqliteStore::open(fresh, SqliteStore::BUSY_TIMEOUT).await.map_err(|error| error.about(backup))?;
    let contents = store.contents().await.map_err(|error| failed(error.into()))?;
    for statement in ["DELETE FROM session", "DELETE FROM mail", "DELETE FROM mail_code"] {
        sqlx::query(statement).execute(&store.writer).await.map_err(|error| failed(error.into()))?;
    }
    store.close().await;
    File::open(fresh).and_then(|file| file.sync_all()).map_err(|error| failed(error.into()))?;
    Ok(contents)
}

/// Renames `fresh` to the store. An unclosed store's log is moved with it, because SQLite would apply it to the new
/// one. Returns the old store's path.
fn replace(store: &Path, fresh: &Path) -> io::Result<PathBuf> {
    let mut before = store.with_added_extension("before");
    let mut number = 1;
    while before.exists() {
        number += 1;
        before = store.with_added_extension(format!("before-{number}"));
    }
    for kept in [beside(&before, "-wal"), beside(&before, "-shm"), beside(store, "-shm")] {
        remove(&kept)?;
    }
    if store.exists() {
        // With a link there is never a moment without a store, in which a server would create one.
        fs::hard_link(store, &before).or_else(|_| fs::rename(store, &before))?;
    }
    let (log, kept_log) = (beside(store, "-wal"), beside(&before, "-wal"));
    let has_log = log.exists();
    if has_log {
        files::replace(&log, &kept_log)?;
    }
    if let Err(error) = fs::rename(fresh, store) {
        // The old store keeps its latest transactions.
        if has_log {
            fs::rename(&kept_log, &log)?;
        }
        return Err(error);
    }
    sync_folder(store.parent().unwrap_or(store))?;
    Ok(before)
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

fn opened(file: &Path) -> impl Fn(sqlx::Error) -> OpenStoreError {
    let store = file.display().to_string();
    move |error| OpenStoreError::File { store: store.clone(), source: error.into() }
}

fn created(file: &Path) -> impl Fn(io::Error) -> OpenStoreError {
    let store = file.display().to_string();
    move |source| OpenStoreError::Create { store: store.clone(), source }
}
