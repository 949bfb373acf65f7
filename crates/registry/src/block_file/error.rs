//! Why a file of blocks cannot be read or written.

use thiserror::Error;

use crate::folder::FileError;

#[derive(Debug, Error)]
pub enum BlockError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("this is not a {kind}")]
    OtherKind { kind: &'static str },
    #[error("the {kind} has format {found}, this version reads format {readable}")]
    Version { kind: &'static str, found: u32, readable: u32 },
    #[error("the {kind} is damaged: {what}")]
    Damaged { kind: &'static str, what: &'static str },
    #[error("the {kind} cannot be written: {what}")]
    TooLong { kind: &'static str, what: &'static str },
}
