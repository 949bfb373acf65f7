//! Why rows cannot be written as an index file.

use std::io;

use thiserror::Error;

use crate::folder::FileError;

#[derive(Debug, Error)]
pub enum IndexError {
    #[error("there is no memory for the rows; an import needs about a third of the file's text")]
    Memory(#[source] io::Error),
    #[error("the file exceeds the index format: {what}")]
    TooLarge { what: &'static str },
    #[error(transparent)]
    File(#[from] FileError),
}
