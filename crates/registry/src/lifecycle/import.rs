//! Imports a published file or a finished edition.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::error::ImportError;
use super::importing::{Importing, number_of};
use super::open::open_best;
use super::parent::{Parent, vocabulary_of};
use super::publication::finish;
use super::report::ImportReport;
use super::request::{Accepts, Import};
use super::{adopt, build};
use crate::dataset::Dataset;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{FileError, Folder};
use crate::format::EditionError;
use crate::format::header::MAGIC;
use crate::index::Vocabulary;
use crate::progress::Progress;

/// Builds an edition of `dataset` from the request's file and makes it current in the folder `registry`, which is
/// created if need be. A finished edition is copied and verified; only the number in its header changes.
///
/// A crash at any moment leaves the previous edition or the new one, complete.
///
/// # Errors
/// [`ImportError`]; nothing was published. Exception: if the last step, syncing the folder, fails, the new edition may
/// be current.
pub fn import(
    registry: &Path,
    dataset: &'static Dataset,
    request: &Import,
    progress: &dyn Progress,
) -> Result<ImportReport, ImportError> {
    import_on(&SystemDisk, registry, dataset, request, progress)
}

pub(crate) fn import_on(
    disk: &dyn Disk,
    registry: &Path,
    dataset: &'static Dataset,
    request: &Import,
    progress: &dyn Progress,
) -> Result<ImportReport, ImportError> {
    let is_edition = is_edition(&request.source.path);
    match request.accepts {
        Accepts::Published if is_edition => return Err(ImportError::UnexpectedEdition { dataset: dataset.name }),
        Accepts::Edition if !is_edition => return Err(ImportError::NoEdition { dataset: dataset.name }),
        Accepts::Any | Accepts::Published | Accepts::Edition => {}
    }
    let folder = Folder::new(registry, dataset);
    folder.create(disk)?;
    let Some(_lock) = folder.lock()? else { return Err(ImportError::Busy { folder: folder.path().to_owned() }) };
    folder.remove_unfinished(disk)?;
    finish(disk, &folder)?;
    let current = open_best(&folder)?.edition;
    let parent = |edition| Ok::<_, FileError>(Parent::new(edition, number_of(&folder, edition)?));
    let parent = current.as_ref().map(parent).transpose()?;
    let importing = Importing { disk, folder: &folder, dataset, request, parent: parent.as_ref(), progress };
    if is_edition {
        return adopt::adopt(&importing, current.as_ref());
    }
    // The sample and real data have nothing in common.
    let continued = current.filter(|current| current.meta().origin == request.origin);
    let vocabulary = continued.as_ref().map(vocabulary_of).transpose()?.unwrap_or_else(Vocabulary::new);
    drop(continued);
    let is_continued = !vocabulary.is_empty();
    match build::build(&importing, vocabulary) {
        // After years, most words are unused: the edition begins a dictionary of its own.
        Err(ImportError::Verification { source: EditionError::Memory }) if is_continued => {
            build::build(&importing, Vocabulary::new())
        }
        built => built,
    }
}

/// A file that cannot be read is left to the reader, which says why.
fn is_edition(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut start));
    read.is_ok() && start == MAGIC
}
