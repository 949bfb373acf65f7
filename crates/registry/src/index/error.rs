//! Why rows cannot be written as an index file.

use std::io;

use thiserror::Error;

use crate::folder::FileError;

/// Why there is no index file.
#[derive(Debug, Error)]
pub enum IndexError {
    /// The system has no memory for the rows.
    #[error("there is no memory for the rows; an import needs about a third of the file's text")]
    Memory(#[source] io::Error),
    /// The rows exceed a limit of the format.
    #[error("the file exceeds the index format: {what}")]
    TooLarge {
        /// Which limit.
        what: &'static str,
    },
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
}
