//! Why a file of blocks cannot be read or written.

use thiserror::Error;

use crate::folder::FileError;

/// Why a change list, a history or a file of months cannot be read or written.
#[derive(Debug, Error)]
pub enum BlockError {
    /// A file operation failed.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is another kind of file.
    #[error("this is not a {kind}")]
    OtherKind {
        /// The expected kind.
        kind: &'static str,
    },
    /// Another version of the program wrote it.
    #[error("the {kind} has format {found}, this version reads format {readable}")]
    Version {
        /// The kind of file.
        kind: &'static str,
        /// The file's format.
        found: u32,
        /// The format that this version reads.
        readable: u32,
    },
    /// Its bytes contradict a checksum or each other.
    #[error("the {kind} is damaged: {what}")]
    Damaged {
        /// The kind of file.
        kind: &'static str,
        /// What is wrong.
        what: &'static str,
    },
    /// A row or the facts are too long.
    #[error("the {kind} cannot be written: {what}")]
    TooLong {
        /// The kind of file.
        kind: &'static str,
        /// What is too long.
        what: &'static str,
    },
}
