//! Why a history is not updated.

use std::path::PathBuf;

use thiserror::Error;

use crate::block_file::BlockError;
use crate::folder::FileError;
use crate::format::{CorruptRowError, EditionError};

/// Why a history stays as it was.
#[derive(Debug, Error)]
pub enum HistoryError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the active edition cannot be read")]
    Edition(#[from] EditionError),
    #[error("change list number {number} cannot be read")]
    List { number: u64, source: BlockError },
    /// The monthly history cannot be read. It is not rebuilt, because old months may no longer be published.
    #[error("{} cannot be read: restore it from a backup, or remove it and run `kuraka dataset backfill datos_abiertos`", path.display())]
    Months { path: PathBuf, source: BlockError },
    #[error(transparent)]
    Block(#[from] BlockError),
    #[error(transparent)]
    Row(#[from] CorruptRowError),
}
