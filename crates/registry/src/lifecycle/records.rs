//! Brings the files beside the editions up to date: history and monthly history.

use std::path::Path;

use super::publication::finish;
use crate::dataset::Dataset;
use crate::folder::Folder;
use crate::folder::disk::{Disk, SystemDisk};
use crate::history::{self, HistoryError};
use crate::months;

/// Brings the history of `dataset`, and its monthly history, up to date. Does nothing while another process publishes,
/// because that process does it.
///
/// # Errors
/// [`HistoryError`]; the file that it names is unchanged.
pub fn update_records(registry: &Path, dataset: &'static Dataset) -> Result<(), HistoryError> {
    let folder = Folder::new(registry, dataset);
    if folder.current()?.is_none() {
        return Ok(());
    }
    let Some(_lock) = folder.lock()? else { return Ok(()) };
    finish(&SystemDisk, &folder)?;
    update(&SystemDisk, &folder)
}

/// Under the folder's lock.
pub(super) fn update(disk: &dyn Disk, folder: &Folder) -> Result<(), HistoryError> {
    history::update(disk, folder)?;
    months::update(disk, folder)
}
