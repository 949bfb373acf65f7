//! Why an import publishes nothing.

use std::path::PathBuf;

use thiserror::Error;

use crate::RefusedFileError;
use crate::folder::FileError;
use crate::format::EditionError;
use crate::index::IndexError;
use crate::reader::ReadError;

/// Why nothing was published. The current edition stays.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The published file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The rows cannot be written as an edition.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A guard refuses; `force` overrides it.
    // Not the source: a chain would say it twice.
    #[error("{0}; check the file, or give --force")]
    Guard(RefusedFileError),
    /// Another import or rollback holds the folder's lock.
    #[error("another import or rollback is running in {}; wait until it ends", folder.display())]
    Busy {
        /// The dataset's folder.
        folder: PathBuf,
    },
    /// A file operation in the dataset's folder failed.
    #[error(transparent)]
    Folder(#[from] FileError),
    /// The new file fails its verification.
    #[error("the new index fails its verification; check the disk and the memory of this machine")]
    Verification {
        /// A description of the failure.
        source: EditionError,
    },
    /// The file is not the requested one.
    #[error("the file's SHA-256 is {found}, not {wanted}: it is another file, or was changed on the way")]
    Checksum {
        /// The file's checksum.
        found: String,
        /// The requested checksum.
        wanted: String,
    },
    /// The file is no undamaged edition of this dataset.
    #[error("the file is no edition of {dataset} that can be trusted")]
    Edition {
        /// The dataset's name.
        dataset: &'static str,
        /// What is wrong with it.
        source: EditionError,
    },
    /// The edition's label has another form.
    #[error("the edition's label {label:?} is not of the form 2026-11-20-0a1b2c3d")]
    Label {
        /// The label.
        label: String,
    },
    /// A publisher's address has an edition.
    #[error(
        "the file is a finished edition of {dataset}; set datasets.builder_url to fetch editions from another server"
    )]
    UnexpectedEdition {
        /// The dataset's name.
        dataset: &'static str,
    },
    /// Another server's address has no edition.
    #[error("the file is no edition of {dataset}; datasets.builder_url must be the /edition of a Kuraka server")]
    NoEdition {
        /// The dataset's name.
        dataset: &'static str,
    },
}

impl From<RefusedFileError> for ImportError {
    fn from(refusal: RefusedFileError) -> Self {
        Self::Guard(refusal)
    }
}
