//! The lock that lets only one server process use a data folder with an SQLite store.
//!
//! With two servers on one SQLite file the ledger would stay correct, but each would cache credentials, hold leases and
//! limit its requests to sources on its own. Commands may write while a server runs, and take no lock.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::folder::create_folder;

/// The locked file. It stays, empty, after the lock is released.
const FILE_NAME: &str = "serve.lock";

/// A lock on a data folder; released when dropped, or by the system when the process dies.
#[derive(Debug)]
pub struct StoreLock {
    _file: File,
}

/// Why a data folder cannot be locked.
#[derive(Debug, Error)]
pub enum StoreLockError {
    /// Another process has the lock.
    #[error("another server already serves {}: stop it, or give this one a data folder of its own", data.display())]
    Held {
        /// The data folder.
        data: PathBuf,
    },
    /// The lock's file cannot be created or locked.
    #[error("cannot lock {}: check that the folder can be written to", path.display())]
    Io {
        /// The lock's file.
        path: PathBuf,
        /// The underlying error.
        source: io::Error,
    },
}

impl StoreLock {
    /// Locks the data folder, which is created if needed. Does not wait.
    ///
    /// # Errors
    /// [`StoreLockError`].
    pub fn acquire(data: &Path) -> Result<Self, StoreLockError> {
        let path = data.join(FILE_NAME);
        let file = create_folder(data)
            .and_then(|()| File::options().create(true).append(true).open(&path))
            .map_err(|source| StoreLockError::Io { path: path.clone(), source })?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreLockError::Held { data: data.to_owned() }),
            Err(TryLockError::Error(source)) => Err(StoreLockError::Io { path, source }),
        }
    }
}
