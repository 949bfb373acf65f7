//! What a folder needs to know of an edition: how its file is opened, and which file it is.

use std::fmt::Debug;
use std::path::Path;

use super::error::EditionError;
use super::{DatasetEdition, OpenEdition};
use crate::dataset::Dataset;

/// An edition of the padrón or of a dataset.
pub trait EditionFile: Sized + Send + 'static {
    /// What must be known to open the file: nothing for the padrón, else the dataset.
    type Of: Copy + Debug + Send + Sync + 'static;

    /// Opens and verifies the file at `path`.
    ///
    /// # Errors
    /// [`EditionError`].
    fn open_file(of: Self::Of, path: &Path) -> Result<Self, EditionError>;

    /// SHA-256 of the file's header, which identifies the whole file.
    fn file_identity(&self) -> [u8; 32];
}

impl EditionFile for OpenEdition {
    type Of = ();

    fn open_file((): (), path: &Path) -> Result<Self, EditionError> {
        Self::open(path)
    }

    fn file_identity(&self) -> [u8; 32] {
        self.identity()
    }
}

impl EditionFile for DatasetEdition {
    type Of = &'static Dataset;

    fn open_file(dataset: &'static Dataset, path: &Path) -> Result<Self, EditionError> {
        Self::open(dataset, path)
    }

    fn file_identity(&self) -> [u8; 32] {
        self.identity()
    }
}
