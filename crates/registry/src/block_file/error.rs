//! Why a file of blocks cannot be read or written.

use std::path::PathBuf;

use thiserror::Error;

use crate::folder::FileError;

/// Why a change list, a history or a file of months cannot be read or written.
#[derive(Debug, Error)]
pub enum BlockError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its first bytes are those of another kind of file.
    #[error("{} is not a {expected}", path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// The kind of file that it should be.
        expected: &'static str,
    },
    /// Another version of the program wrote it.
    #[error("{} has format {found}, this version reads format {readable}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The file's format.
        found: u32,
        /// The format that this version reads.
        readable: u32,
    },
    /// Its bytes contradict a checksum or each other.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// A row or the facts are longer than a file may have.
    #[error("{what} for {}", path.display())]
    TooLong {
        /// The file.
        path: PathBuf,
        /// What is too long.
        what: &'static str,
    },
}
