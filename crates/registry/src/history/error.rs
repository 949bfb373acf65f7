//! Why a history is not brought up to date.

use thiserror::Error;

use crate::block_file::BlockError;
use crate::changes::ListError;
use crate::folder::FileError;
use crate::format::{CorruptRow, EditionError};
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
    #[error("the current edition cannot be read")]
    Edition(#[from] EditionError),
    /// A list of changes cannot be read.
    #[error("list of changes number {number} cannot be read")]
    List {
        /// The list's number.
        number: u64,
        /// Why.
        source: ListError,
    },
    /// The file of months cannot be read. It is not made anew, because not every month may still be published.
    #[error(
        "the months cannot be read: restore their file from a backup, or remove it and run `kuraka dataset backfill \
         datos_abiertos`"
    )]
    Months(#[source] BlockError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// Bytes of the current edition have changed since it was opened.
    #[error(transparent)]
    Row(#[from] CorruptRow),
    /// Bytes of the history have changed since they were verified.
    #[error("the history is damaged")]
    Damaged,
}
