//! Why an edition of another machine is not published.

use std::path::PathBuf;

use thiserror::Error;

use super::guards::Refusal;
use crate::EditionError;
use crate::folder::FileError;

/// Why an edition is not published. The current edition stays.
#[derive(Debug, Error)]
pub enum AdoptError {
    /// The file is not an edition, or is damaged.
    #[error("the file is no edition that can be trusted")]
    Edition(#[source] EditionError),
    /// The file is not the requested one.
    #[error("the file's SHA-256 is {found}, not {wanted}: it is another edition, or was changed on the way")]
    Checksum {
        /// The file's checksum.
        found: String,
        /// The requested checksum.
        wanted: String,
    },
    /// The edition's label does not have the form of a registry's label.
    #[error("the edition's label {label:?} is not of the form 2026-11-20-0a1b2c3d")]
    Label {
        /// The edition's label.
        label: String,
    },
    /// A guard refuses; the request may force it.
    #[error("{0}; check where the edition comes from, or publish it with force")]
    Guard(#[from] Refusal),
    /// Another publication or rollback holds the folder's lock.
    #[error("another import or rollback is at work in {}; wait until it ends", folder.display())]
    Busy {
        /// The registry's folder.
        folder: PathBuf,
    },
    /// A file operation failed.
    #[error(transparent)]
    Folder(#[from] FileError),
}
