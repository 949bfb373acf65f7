//! Lets only one server process use a data folder with an SQLite store: two would each cache credentials, hold leases
//! and limit source requests on their own. Commands may write beside a server and take no lock.

use std::fs::File;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::{FileError, create_folder, try_lock};

/// The locked file; it stays, empty.
const FILE_NAME: &str = "serve.lock";

/// A lock on a data folder; released when dropped or when the process dies.
#[derive(Debug)]
pub struct StoreLock {
    _file: File,
}

#[derive(Debug, Error)]
pub enum StoreLockError {
    #[error("another server already serves {}: stop it, or give this one a data folder of its own", data.display())]
    Held { data: PathBuf },
    #[error(transparent)]
    File(#[from] FileError),
}

impl StoreLock {
    /// Locks the data folder, created if needed. Does not wait.
    ///
    /// # Errors
    /// [`StoreLockError`].
    pub fn acquire(data: &Path) -> Result<Self, StoreLockError> {
        create_folder(data).map_err(FileError::at(data))?;
        let file = try_lock(&data.join(FILE_NAME))?;
        file.map(|file| Self { _file: file }).ok_or_else(|| StoreLockError::Held { data: data.to_owned() })
    }
}
