//! Why an import does not publish an edition.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::source_error::SourceError;
use super::vocabulary::Full;
use crate::folder::FileError;
use crate::publish::Refusal;
use crate::reader::ReadError;
use crate::{AdoptError, EditionError};

/// Why nothing was published. The current edition stays.
#[derive(Debug, Error)]
pub enum ImportError {
    /// A source file is not of the expected kind, or cannot be read.
    #[error("{name} cannot be imported")]
    Source {
        /// The file, as the request named it.
        name: String,
        /// What is wrong with it.
        source: SourceError,
    },
    /// A guard refuses; the request may force it.
    #[error("{0}; check the file, or import it with force")]
    Guard(#[from] Refusal),
    /// Another import or rollback holds the folder's lock.
    #[error("another import or rollback is at work in {}; wait until it ends", folder.display())]
    Busy {
        /// The registry's folder.
        folder: PathBuf,
    },
    /// A file operation in the registry's folder failed.
    #[error(transparent)]
    Folder(#[from] FileError),
    /// The system has no memory for the rows.
    #[error("there is no memory for the rows; an import needs about a third of the file's text")]
    Memory(#[source] io::Error),
    /// The file exceeds a limit of the edition's format.
    #[error("the file exceeds the index format: {what}")]
    TooLarge {
        /// Which limit.
        what: &'static str,
    },
    /// The new file fails its verification: failing hardware, or a defect.
    #[error("the new index fails its verification; check the disk and the memory of this machine")]
    Verification {
        /// A description of the failure.
        source: EditionError,
    },
    /// The published file of a dataset cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The file of a finished edition is damaged, or of another dataset.
    #[error("the file is no edition of {dataset} that can be trusted")]
    Edition {
        /// The dataset's name.
        dataset: &'static str,
        /// What is wrong with it.
        source: EditionError,
    },
    /// A finished edition's label does not have the form of a registry's label.
    #[error("the edition's label {label:?} is not of the form 2026-11-20-0a1b2c3d")]
    Label {
        /// The label.
        label: String,
    },
    /// A finished edition of the padrón is not published.
    #[error(transparent)]
    Adopt(#[from] AdoptError),
}

impl From<Full> for ImportError {
    fn from(Full: Full) -> Self {
        Self::TooLarge { what: "its distinct words take more than 4 GiB" }
    }
}
