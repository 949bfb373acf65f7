//! Why a list of changes cannot be read.

use std::io;

use thiserror::Error;

/// Why a file is not a usable list of changes.
#[derive(Debug, Error)]
pub enum ListError {
    /// The system cannot open or read it.
    #[error("the list of changes cannot be read")]
    Io(#[from] io::Error),
    /// Its first bytes are not those of a list of changes.
    #[error("this is not a list of changes")]
    NotAList,
    /// It has a format that this version does not read.
    #[error("the list of changes has a format that this version does not read")]
    Version,
    /// Its bytes contradict a checksum or each other.
    #[error("the list of changes is damaged: {0}")]
    Damaged(&'static str),
}
