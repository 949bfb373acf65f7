//! The last attempt to update a dataset, in a small file beside its downloads, so that it survives a restart, and
//! commands and servers see each other's.

use std::fs;
use std::path::{Path, PathBuf};

use kuraka_ports::DatasetAttempt;
use kuraka_registry::dataset::Dataset;

use super::downloads::downloads_of;
use crate::download::note;
use crate::files::FileError;

/// The last attempt at this dataset; `None` = none, or its file cannot be read. `registry` is the registry's folder.
pub fn last_attempt(registry: &Path, dataset: &Dataset) -> Option<DatasetAttempt> {
    note::read(&path(registry, dataset))
}

/// Records an attempt, in place of the previous one.
///
/// # Errors
/// If the file cannot be written.
pub fn record_attempt(registry: &Path, dataset: &Dataset, attempt: &DatasetAttempt) -> Result<(), FileError> {
    let path = path(registry, dataset);
    let written = fs::create_dir_all(downloads_of(registry, dataset)).and_then(|()| note::write(&path, attempt));
    written.map_err(FileError::at(&path))
}

fn path(registry: &Path, dataset: &Dataset) -> PathBuf {
    downloads_of(registry, dataset).join("last_attempt")
}
