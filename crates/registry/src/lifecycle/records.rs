//! Brings the files beside the editions up to date: the history of a dataset, and the monthly history of the open
//! data.

use std::path::Path;

use super::publication::finish;
use crate::dataset::Dataset;
use crate::folder::Folder;
use crate::folder::disk::{Disk, SystemDisk};
use crate::history::{self, HistoryError};
use crate::months;

/// Brings the history of `dataset` in the registry in `registry` up to date, and the monthly history if it is the open
/// data. Does nothing while another process publishes an edition: that process does it.
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

/// As [`update_records`], under the folder's lock.
pub(super) fn update(disk: &dyn Disk, folder: &Folder) -> Result<(), HistoryError> {
    history::update(disk, folder)?;
    months::update(disk, folder)
}
