//! Opens the current edition, or the best one before it.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::kept::candidates;
use crate::Edition;
use crate::dataset::Dataset;
use crate::folder::{FileError, Folder};
use crate::format::EditionError;

#[derive(Debug)]
pub struct OpenReport {
    /// `None` = there is no usable one.
    pub edition: Option<Edition>,
    /// Unusable editions tried before it. If there are any, `edition` is a fallback.
    pub skipped: Vec<SkippedEdition>,
}

#[derive(Debug)]
pub struct SkippedEdition {
    pub path: PathBuf,
    pub error: EditionError,
}

#[derive(Debug, Error)]
pub enum OpenError {
    #[error("the registry folder cannot be used")]
    Folder(#[from] FileError),
    #[error("the edition {} is unusable", path.display())]
    Edition { path: PathBuf, source: EditionError },
}

/// Opens the current edition of a dataset; if it is unusable, the last usable one published before it, and the report
/// says so. A missing folder is fine.
///
/// # Errors
/// [`OpenError::Folder`] if the folder cannot be read.
pub fn open_current(registry: &Path, dataset: &'static Dataset) -> Result<OpenReport, OpenError> {
    Ok(open_best(&Folder::new(registry, dataset))?)
}

pub(super) fn open_best(folder: &Folder) -> Result<OpenReport, FileError> {
    let mut skipped = Vec::new();
    for path in candidates(folder)? {
        match Edition::open(folder.dataset(), &path) {
            Ok(edition) => return Ok(OpenReport { edition: Some(edition), skipped }),
            Err(error) => skipped.push(SkippedEdition { path, error }),
        }
    }
    Ok(OpenReport { edition: None, skipped })
}
