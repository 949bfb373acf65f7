//! Rolls back to the previous edition.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::kept::{newest_first, next_number};
use super::publication::{PublishedFile, Publishing, finish};
use crate::Edition;
use crate::changes::EditionName;
use crate::dataset::Dataset;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{Current, FileError, Folder, RolledBack, label_of};
use crate::history::HistoryError;
use crate::progress::NoProgress;

#[derive(Debug)]
pub struct Rollback {
    /// Label of the edition that was current.
    pub from: String,
    /// Label of the edition that is current now.
    pub to: String,
    /// Why the history was not extended.
    pub history_error: Option<HistoryError>,
}

#[derive(Debug, Error)]
pub enum RollbackError {
    #[error("there is no edition to roll back from")]
    NoEdition,
    #[error("{found} is current, not {expected}; look again before you roll back")]
    Changed { expected: String, found: String },
    #[error("no usable edition before {from} is kept; import an earlier file with --force")]
    NoPrevious { from: String },
    #[error("another import or rollback is running in {}; wait until it ends", folder.display())]
    Busy { folder: PathBuf },
    #[error(transparent)]
    Folder(#[from] FileError),
}

/// Makes the previously published edition current again, by a publication of its own, and marks the current one, so
/// that it is not published again without force. `registry` is the registry's folder.
///
/// # Errors
/// [`RollbackError`]; nothing changed.
pub fn rollback(registry: &Path, dataset: &'static Dataset) -> Result<Rollback, RollbackError> {
    rollback_on(&SystemDisk, &Folder::new(registry, dataset), None)
}

/// As [`rollback`], if the edition with this label is current.
///
/// # Errors
/// [`RollbackError`]; nothing changed.
pub fn rollback_from(registry: &Path, dataset: &'static Dataset, from: &str) -> Result<Rollback, RollbackError> {
    rollback_on(&SystemDisk, &Folder::new(registry, dataset), Some(from))
}

pub(super) fn rollback_on(disk: &dyn Disk, folder: &Folder, expected: Option<&str>) -> Result<Rollback, RollbackError> {
    // A missing folder has no lock either.
    folder.current()?.ok_or(RollbackError::NoEdition)?;
    let Some(_lock) = folder.lock()? else { return Err(RollbackError::Busy { folder: folder.path().to_owned() }) };
    finish(disk, folder)?;
    // Read under the lock: an import may have ended meanwhile.
    let Some(Current { label: from, number }) = folder.published()? else { return Err(RollbackError::NoEdition) };
    if let Some(expected) = expected.filter(|expected| *expected != from) {
        return Err(RollbackError::Changed { expected: expected.to_owned(), found: from });
    }
    let rolled_back = folder.rolled_back()?;
    let kept = newest_first(folder)?;
    let current = folder.edition(&from);
    let summary = kept.iter().find(|(path, _)| *path == current).and_then(|(_, summary)| summary.as_ref());
    // A damaged current file has no sequence: every other edition counts as earlier.
    let sequence = summary.map_or(u64::MAX, |summary| summary.sequence);
    let previous = kept.iter().find_map(|(path, summary)| {
        let is_marked = rolled_back.iter().any(|from| from.label == label_of(path));
        let is_earlier = summary.as_ref()?.sequence < sequence && *path != current && !is_marked;
        if is_earlier { Edition::open(folder.dataset(), path).ok() } else { None }
    });
    let Some(new) = previous else { return Err(RollbackError::NoPrevious { from }) };
    let sha256 = summary.map(|summary| summary.meta.source.sha256.clone()).unwrap_or_default();
    let old = summary.map(|summary| EditionName::new(number, summary.identity, &summary.meta));
    let to = new.name(next_number(folder)?);
    let file = PublishedFile::Kept(RolledBack { label: from.clone(), sha256 });
    let publishing = Publishing { disk, folder, from: old.as_ref(), to, new: &new, file, progress: &NoProgress };
    let history_error = publishing.publish()?.history_error;
    Ok(Rollback { from, to: new.label().to_owned(), history_error })
}
