//! Rolls back to the previous edition.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::disk::{Disk, SystemDisk};
use super::error::FileError;
use super::kept;
use super::layout::Folder;
use crate::OpenEdition;

/// A completed rollback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rollback {
    /// Label of the edition that was current.
    pub from: String,
    /// Label of the edition that is current now.
    pub to: String,
}

/// Why nothing was rolled back.
#[derive(Debug, Error)]
pub enum RollbackError {
    /// The folder has no current edition.
    #[error("there is no edition to roll back from")]
    NoEdition,
    /// No earlier usable edition is kept.
    #[error("no usable edition before {from} is kept; import an earlier padrón with force")]
    NoPrevious {
        /// Label of the current edition.
        from: String,
    },
    /// Another import or rollback holds the folder's lock.
    #[error("another import or rollback is at work in {}; wait until it ends", folder.display())]
    Busy {
        /// The registry's folder.
        folder: PathBuf,
    },
    /// A file operation failed.
    #[error(transparent)]
    Folder(#[from] FileError),
}

/// Makes the previously published edition current again, and marks the current one as rolled back, so that it is not
/// published again without force.
///
/// # Errors
/// [`RollbackError`]; nothing changed.
pub fn rollback(folder: &Path) -> Result<Rollback, RollbackError> {
    rollback_on(&SystemDisk, folder)
}

pub(crate) fn rollback_on(disk: &dyn Disk, path: &Path) -> Result<Rollback, RollbackError> {
    let folder = Folder::new(path);
    let Some(current) = folder.current()? else { return Err(RollbackError::NoEdition) };
    let Some(_lock) = folder.lock()? else { return Err(RollbackError::Busy { folder: path.to_owned() }) };
    let from = current.file_stem().map(|label| label.to_string_lossy().into_owned()).unwrap_or_default();
    let rolled_back = folder.rolled_back()?;
    let kept = kept::newest_first(&folder)?;
    // The current file may be damaged and have no sequence: then every other edition counts as earlier.
    let sequence = kept
        .iter()
        .find(|(path, _)| *path == current)
        .and_then(|(_, summary)| summary.as_ref())
        .map_or(u64::MAX, |summary| summary.sequence);
    let previous = kept.iter().find_map(|(path, summary)| {
        let summary = summary.as_ref()?;
        let earlier = summary.sequence < sequence && *path != current && !rolled_back.contains(&summary.meta.label);
        (earlier && OpenEdition::open(path).is_ok()).then(|| summary.meta.label.clone())
    });
    let Some(to) = previous else { return Err(RollbackError::NoPrevious { from }) };
    // The mark is written first: after a crash in between, the edition is still current, but marked as rolled back.
    folder.mark_rolled_back(disk, &from, true)?;
    folder.set_current(disk, &to)?;
    Ok(Rollback { from, to })
}
