//! Why an import publishes nothing.

use std::path::PathBuf;

use thiserror::Error;

use crate::GuardError;
use crate::folder::FileError;
use crate::format::EditionError;
use crate::index::IndexError;
use crate::reader::ReadError;

/// Why nothing was published. The current edition stays.
#[derive(Debug, Error)]
pub enum ImportError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A guard refuses; `force` overrides it.
    // Not the source: a chain would say it twice.
    #[error("{dataset}: {guard}; check the file, or give --force")]
    Guard { dataset: &'static str, guard: GuardError },
    #[error("another import or rollback is running in {}; wait until it ends", folder.display())]
    Busy { folder: PathBuf },
    #[error(transparent)]
    Folder(#[from] FileError),
    #[error("the new index fails its verification; check the disk and the memory of this machine")]
    Verification { source: EditionError },
    #[error("the file's SHA-256 is {found}, not {wanted}: it is another file, or was changed on the way")]
    Checksum { found: String, wanted: String },
    #[error("the file is no edition of {dataset} that can be trusted")]
    Edition { dataset: &'static str, source: EditionError },
    #[error("the edition's label {label:?} is not of the form 2026-11-20-0a1b2c3d")]
    Label { label: String },
    /// A publisher's address has an edition.
    #[error(
        "the file is a finished edition of {dataset}; set datasets.builder_url to fetch editions from another server"
    )]
    UnexpectedEdition { dataset: &'static str },
    /// Another server's address has no edition.
    #[error("the file is no edition of {dataset}; datasets.builder_url must be the /edition of a Kuraka server")]
    NoEdition { dataset: &'static str },
}
