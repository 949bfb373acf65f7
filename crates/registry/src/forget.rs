//! Drops the past of one natural person, at its request, from the change lists and histories of all datasets. Editions
//! stay, so today's answers are what the published files say.

use std::fs;
use std::path::Path;

use kuraka_domain::Ruc;
use thiserror::Error;

use crate::block_file::BlockError;
use crate::changes;
use crate::dataset::{ALL, PADRON};
use crate::folder::disk::SystemDisk;
use crate::folder::{FileError, Folder, doing, replace};
use crate::history::{self, HistoryError};

/// Why the past of a RUC is not dropped, or not everywhere. Trying again is safe.
#[derive(Debug, Error)]
pub enum ForgetError {
    #[error("{0} is not the RUC of a natural person, whose past alone can be dropped")]
    NoPerson(Ruc),
    #[error("there are no editions yet")]
    NoEdition,
    #[error("the lists of changes of {dataset} are not written anew")]
    Changes { dataset: &'static str, source: BlockError },
    #[error(transparent)]
    History(#[from] HistoryError),
    #[error(transparent)]
    Folder(#[from] FileError),
}

/// Drops the past of a natural person, and returns from how many change lists. Waits until imports end.
///
/// # Errors
/// [`ForgetError`].
pub fn forget(registry: &Path, ruc: Ruc) -> Result<usize, ForgetError> {
    if !ruc.is_personal() {
        return Err(ForgetError::NoPerson(ruc));
    }
    if Folder::new(registry, &PADRON).current()?.is_none() {
        return Err(ForgetError::NoEdition);
    }
    drop_past(registry, ruc)
}

/// Drops from the restored registry `to` the past of each person who was forgotten in the registry `from` since the
/// backup was made.
///
/// # Errors
/// [`ForgetError`].
pub fn forget_again(from: &Path, to: &Path) -> Result<(), ForgetError> {
    let padron = Folder::new(to, &PADRON);
    let known = padron.forgotten()?;
    for ruc in Folder::new(from, &PADRON).forgotten()?.into_iter().filter(|ruc| !known.contains(ruc)) {
        padron.create(&SystemDisk)?;
        drop_past(to, ruc)?;
    }
    Ok(())
}

fn drop_past(registry: &Path, ruc: Ruc) -> Result<usize, ForgetError> {
    let padron = Folder::new(registry, &PADRON);
    // Under a lock, because another process may add a person. Noted first, so that an import in between does not record
    // it.
    let lock = padron.wait_for_lock()?;
    let mut forgotten = padron.forgotten()?;
    if let Err(at) = forgotten.binary_search(&ruc) {
        forgotten.insert(at, ruc);
        let text: String = forgotten.iter().map(|ruc| format!("{ruc}\n")).collect();
        replace(&SystemDisk, &padron.forgotten_file(), text.as_bytes())?;
    }
    drop(lock);
    let mut lists = 0;
    for dataset in ALL {
        let folder = Folder::new(registry, dataset);
        if !doing("reading the folder", folder.path(), fs::exists(folder.path()))? {
            continue;
        }
        let _lock = folder.wait_for_lock()?;
        let written = changes::forget(&SystemDisk, &folder, ruc);
        lists += written.map_err(|source| ForgetError::Changes { dataset: dataset.name, source })?;
        history::forget(&SystemDisk, &folder, ruc)?;
    }
    Ok(lists)
}
