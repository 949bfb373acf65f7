//! The address of a store: opens the store, and locks it for one server.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, fs};

use super::{OpenStoreError, PostgresAddress, PostgresStore, Schema, SqliteStore, Store, StoreLock, StoreLockError};

#[derive(Clone, Debug)]
pub enum StoreAddress {
    /// A file on this machine, for one server.
    Sqlite(PathBuf),
    /// A database that any number of servers share.
    Postgres(PostgresAddress),
}

impl StoreAddress {
    /// Opens the store; creates it or migrates its schema if needed. Its connections live on the current runtime.
    ///
    /// # Errors
    /// [`OpenStoreError`].
    pub async fn open(&self) -> Result<Arc<dyn Store>, OpenStoreError> {
        Ok(match self {
            Self::Sqlite(path) => Arc::new(SqliteStore::open(path, SqliteStore::BUSY_TIMEOUT).await?),
            Self::Postgres(address) => Arc::new(PostgresStore::open(address).await?),
        })
    }

    /// Verifies the store without changing it: see [`SqliteStore::verify`] and [`PostgresStore::schema`].
    ///
    /// # Errors
    /// [`OpenStoreError`].
    pub async fn verify(&self) -> Result<Schema, OpenStoreError> {
        match self {
            Self::Sqlite(file) => SqliteStore::verify(file).await,
            Self::Postgres(address) => PostgresStore::schema(address).await,
        }
    }

    /// Whether it is an SQLite file that does not exist.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Sqlite(path) if !path.exists())
    }

    /// [`StoreAddress::open`] to read: an SQLite store is neither created nor migrated; `None` = it does not exist.
    ///
    /// # Errors
    /// [`OpenStoreError`].
    pub async fn open_to_read(&self) -> Result<Option<Arc<dyn Store>>, OpenStoreError> {
        Ok(match self {
            Self::Sqlite(_) if self.is_missing() => None,
            Self::Sqlite(path) => Some(Arc::new(SqliteStore::open_to_read(path).await?)),
            Self::Postgres(_) => Some(self.open().await?),
        })
    }

    /// Locks an SQLite store against other servers: its folder, and the data folder if it is another one.
    ///
    /// # Errors
    /// [`StoreLockError`].
    pub fn lock(&self, data: Option<&Path>) -> Result<Vec<StoreLock>, StoreLockError> {
        let Self::Sqlite(file) = self else { return Ok(Vec::new()) };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let first = StoreLock::acquire(folder)?;
        match data {
            Some(data) if fs::canonicalize(data).ok() != fs::canonicalize(folder).ok() => {
                Ok(vec![first, StoreLock::acquire(data)?])
            }
            Some(_) | None => Ok(vec![first]),
        }
    }
}

impl fmt::Display for StoreAddress {
    /// Without the password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "{}", path.display()),
            Self::Postgres(address) => address.fmt(f),
        }
    }
}
