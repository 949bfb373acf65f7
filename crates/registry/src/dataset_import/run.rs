//! Imports a dataset's file, whether it is the published one or a finished edition.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::publication::Publication;
use super::request::DatasetImport;
use super::{DatasetReport, adopt, build, padron};
use crate::dataset::Dataset;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{Folder, open_best};
use crate::format::header::MAGIC;
use crate::{DatasetEdition, ImportError, Progress};

/// Builds an edition of `dataset` from the file of `request` and makes it the dataset's current one in the registry in
/// `folder`, which is created if it does not exist. A file that is a finished edition of the dataset is published as it
/// is. The padrón is imported as [`crate::import`] and [`crate::adopt`] do.
///
/// A crash at any moment leaves the previous edition or the new one, complete.
///
/// # Errors
/// [`ImportError`]; nothing was published and the current edition stays. Exception: if the last step, syncing the
/// folder, fails, the new edition may be current although an error is returned.
pub fn import_dataset(
    folder: &Path,
    dataset: &'static Dataset,
    request: &DatasetImport,
    progress: &dyn Progress,
) -> Result<DatasetReport, ImportError> {
    import_dataset_on(&SystemDisk, folder, dataset, request, progress)
}

/// As [`import_dataset`], on a given disk.
pub(crate) fn import_dataset_on(
    disk: &dyn Disk,
    registry: &Path,
    dataset: &'static Dataset,
    request: &DatasetImport,
    progress: &dyn Progress,
) -> Result<DatasetReport, ImportError> {
    let is_edition = is_edition(&request.source.path);
    if dataset.is_padron() {
        return padron::import(disk, registry, request, is_edition, progress);
    }
    let folder = Folder::of(registry, dataset);
    folder.create(disk)?;
    let Some(_lock) = folder.lock()? else { return Err(ImportError::Busy { folder: folder.path().to_owned() }) };
    folder.remove_unfinished(disk)?;
    let current = open_best::<DatasetEdition>(&folder, dataset)?.edition;
    let publication = Publication { disk, folder: &folder, dataset, request, current: current.as_ref() };
    if is_edition { adopt::adopt(&publication, progress) } else { build::build(&publication, progress) }
}

/// Whether the file begins as an edition. One that cannot be read is left to the reader, which says why.
fn is_edition(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start));
    read.is_ok() && start == MAGIC
}
