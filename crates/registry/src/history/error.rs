//! Why a history is not brought up to date.

use std::path::PathBuf;

use thiserror::Error;

use crate::changes::ListError;
use crate::folder::FileError;
use crate::format::EditionError;
use crate::index::IndexError;

/// Why a history stays as it was. The editions and the lists of changes are not touched.
#[derive(Debug, Error)]
pub enum HistoryError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// The changes exceed a limit of the format.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The current edition cannot be read.
    #[error("the active edition cannot be read")]
    Edition(#[from] EditionError),
    /// A list of changes cannot be read.
    #[error("list of changes number {number} cannot be read")]
    List {
        /// The list's number.
        number: u64,
        /// Why.
        source: ListError,
    },
    /// The record of months cannot be read. It is not made anew, because not every month may still be published.
    #[error("{} cannot be read: restore it from a backup, or remove it and run `kuraka dataset backfill datos_abiertos`", path.display())]
    Months {
        /// The file.
        path: PathBuf,
        /// Why.
        source: EditionError,
    },
    /// Bytes of the history have changed since they were verified.
    #[error("the history is damaged")]
    Damaged,
}
