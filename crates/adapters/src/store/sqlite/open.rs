//! Opens the file: creates it, migrates its schema and connects.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use sqlx::SqlitePool;
use sqlx::migrate::Migrator;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use tokio::runtime::Handle;

use super::SqliteStore;
use super::connection::LEDGER_BUSY;
use crate::files::create_folder;
use crate::store::OpenStoreError;
use crate::store::lease_queue::LeaseQueue;
use crate::store::open::{KEPT_DAYS, migration};

/// Every file of `migrations/sqlite`. A released file is never changed.
pub(super) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    Migrator::with_migrations(vec![migration(1, "schema", include_str!("../../../migrations/sqlite/0001_schema.sql"))])
});

/// Credentials are cached, so few reads run at once. Each connection costs a thread and a page cache.
const READERS: u32 = 2;

/// How long a start waits for a connection, on a machine that may be busy.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);

impl SqliteStore {
    /// How long changes of accounts or tokens wait for another process's write. A lease waits less.
    pub const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

    /// Opens the store; creates it with its folder, or migrates it if needed. Each migration is atomic and runs once,
    /// also if several processes open the store. A call fails with `Unwritable` after waiting `busy_timeout` for
    /// another process's write, or with `Unavailable` after a second for this process's calls; a lease waits 0.4
    /// seconds for each.
    ///
    /// # Errors
    /// [`OpenStoreError`].
    pub async fn open(path: &Path, busy_timeout: Duration) -> Result<Self, OpenStoreError> {
        let file = path.to_owned();
        let (_opening, is_new) = tokio::task::spawn_blocking(move || create(&file))
            .await
            .unwrap_or_else(|stopped| Err(io::Error::other(stopped)))
            .map_err(|source| OpenStoreError::Create { store: path.display().to_string(), source })?;
        Self::connected(path, options(path), busy_timeout, is_new).await
    }

    /// Opens an existing store without creating or migrating it.
    ///
    /// # Errors
    /// [`OpenStoreError`].
    pub async fn open_to_read(path: &Path) -> Result<Self, OpenStoreError> {
        let is_new = false;
        Self::connected(path, options(path).read_only(true), Self::BUSY_TIMEOUT, is_new).await
    }

    async fn connected(
        path: &Path,
        options: SqliteConnectOptions,
        busy_timeout: Duration,
        is_new: bool,
    ) -> Result<Self, OpenStoreError> {
        let options = options.busy_timeout(busy_timeout);
        let failed = |store, source| OpenStoreError::File { store, source };
        let unreadable = |error: sqlx::Error| failed(path.display().to_string(), error.into());
        let ledger = options.clone().synchronous(SqliteSynchronous::Normal).busy_timeout(busy_timeout.min(LEDGER_BUSY));
        let readers = options.clone().pragma("query_only", "ON");
        let writer = connect(1, options).await.map_err(unreadable)?;
        MIGRATIONS
            .run(&writer)
            .await
            .map_err(|error| OpenStoreError::from_migration(path.display().to_string(), &MIGRATIONS, error, failed))?;
        Ok(Self {
            writer,
            wrote: Arc::new(AtomicBool::new(false)),
            ledger: connect(1, ledger).await.map_err(unreadable)?,
            readers: connect(READERS, readers).await.map_err(unreadable)?,
            leases: Arc::new(LeaseQueue::new(Handle::current())),
            kept_days: Arc::new(AtomicU32::new(KEPT_DAYS)),
            is_new,
        })
    }
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        // Deleted data is overwritten.
        .pragma("secure_delete", "ON")
        // In KiB; the default is 2 MiB per connection, and the store's working set is small.
        .pragma("cache_size", "-512")
}

async fn connect(connections: u32, options: SqliteConnectOptions) -> Result<SqlitePool, sqlx::Error> {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(CONNECT_WITHIN)
        // Connections to a local file do not break, so none is recycled or tested.
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        .connect_with(options)
        .await
}

/// Creates the file, readable by its owner only, and returns whether it is new. It stays locked until the result is
/// dropped, because the switch to the write-ahead log and the first migration do not wait for another process.
fn create(path: &Path) -> io::Result<(File, bool)> {
    if let Some(folder) = path.parent() {
        create_folder(folder)?;
    }
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);

    let lock = options.clone().create(true).open(path.with_added_extension("lock"))?;
    lock.lock()?;
    // An existing file is not opened: closing it would drop SQLite's locks in this process.
    match options.create_new(true).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        created => Ok((lock, created.is_ok())),
    }
}
