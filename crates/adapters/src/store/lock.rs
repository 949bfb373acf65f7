//! The lock that lets only one server process serve a data folder with an SQLite store.
//!
//! Two servers on one SQLite file would keep every promise of the ledger, yet each would cache credentials, hold
//! leases and pace the outside on its own. Commands may write beside a server and take no lock.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The lock's file in the data folder. It stays behind, empty: the lock is on the file, not its existence.
const FILE_NAME: &str = "serve.lock";

/// The right to serve a data folder; given up when dropped, or by the system when the process dies.
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
        /// What lies behind it.
        source: io::Error,
    },
}

impl StoreLock {
    /// Locks the data folder, which is created if needed. Returns at once.
    ///
    /// # Errors
    /// [`StoreLockError`].
    pub fn acquire(data: &Path) -> Result<Self, StoreLockError> {
        let path = data.join(FILE_NAME);
        let file = fs::create_dir_all(data)
            .and_then(|()| File::options().create(true).append(true).open(&path))
            .map_err(|source| StoreLockError::Io { path: path.clone(), source })?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreLockError::Held { data: data.to_owned() }),
            Err(TryLockError::Error(source)) => Err(StoreLockError::Io { path, source }),
        }
    }
}
