//! Why a history is not updated.

use std::path::PathBuf;

use thiserror::Error;

use crate::block_file::BlockError;
use crate::folder::FileError;
use crate::format::{CorruptRowError, EditionError};

/// Why a history stays as it was.
#[derive(Debug, Error)]
pub enum HistoryError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// The current edition cannot be read.
    #[error("the active edition cannot be read")]
    Edition(#[from] EditionError),
    /// A change list cannot be read.
    #[error("change list number {number} cannot be read")]
    List {
        /// The list's number.
        number: u64,
        /// Why.
        source: BlockError,
    },
    /// The monthly history cannot be read. It is not rebuilt, because old months may no longer be published.
    #[error("{} cannot be read: restore it from a backup, or remove it and run `kuraka dataset backfill datos_abiertos`", path.display())]
    Months {
        /// The file.
        path: PathBuf,
        /// Why.
        source: BlockError,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// Bytes of the current edition have changed since it was opened.
    #[error(transparent)]
    Row(#[from] CorruptRowError),
}
