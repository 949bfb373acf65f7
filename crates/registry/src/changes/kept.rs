//! The change lists in a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use kuraka_domain::{Date, Ruc};

use super::file_name::FileName;
use super::list::ChangeList;
use super::writer::rewrite;
use crate::block_file::BlockError;
use crate::dataset::Dataset;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{FileError, Folder, absent_is_none, doing, paths_in};

#[derive(Clone, Debug)]
pub(super) struct KeptList {
    pub(super) name: FileName,
    pub(super) path: PathBuf,
}

/// In the order of publication.
pub(super) fn lists(folder: &Folder) -> Result<Vec<KeptList>, FileError> {
    let list = |path: PathBuf| {
        let name = FileName::parse(path.file_name()?.to_str()?)?;
        Some(KeptList { name, path })
    };
    let mut found: Vec<_> = paths_in(&folder.changes())?.into_iter().filter_map(list).collect();
    found.sort_by_key(|list| list.name.number);
    Ok(found)
}

/// Also of a publication that did not end; 0 = there is none.
pub(crate) fn last_number(folder: &Folder) -> Result<u64, FileError> {
    Ok(lists(folder)?.last().map_or(0, |list| list.name.number))
}

/// Removes the lists after `number`, whose publications did not end, except `own`.
pub(crate) fn remove_unpublished(
    disk: &dyn Disk,
    folder: &Folder,
    number: u64,
    own: Option<&Path>,
) -> Result<(), FileError> {
    for list in lists(folder)? {
        if list.name.number > number && Some(&*list.path) != own {
            doing("removing", &list.path, absent_is_none(disk.remove(&list.path)))?;
        }
    }
    Ok(())
}

/// Drops a taxpayer's changes from all lists, under the folder's lock. Returns from how many.
pub(crate) fn forget(disk: &dyn Disk, folder: &Folder, ruc: Ruc) -> Result<usize, BlockError> {
    let mut written = 0;
    for list in lists(folder)? {
        written += usize::from(forget_in(disk, &list.path, &[ruc])?);
    }
    Ok(written)
}

/// Drops these taxpayers' changes from a list. `false` = it has none.
pub(super) fn forget_in(disk: &dyn Disk, path: &Path, rucs: &[Ruc]) -> Result<bool, BlockError> {
    let list = ChangeList::open_front(path)?;
    for ruc in rucs {
        if list.has(*ruc)? {
            rewrite(disk, path, |change| (!rucs.contains(&change.ruc)).then_some(change))?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes the lists that led to editions of more than `days` days before `today`, and returns how many. A list whose
/// file is younger stays: its edition is of an old file that was imported later. The last published list stays too: a
/// rollback without a list is its reverse.
///
/// # Errors
/// [`FileError`] if a list cannot be removed.
pub fn remove_old_changes(
    registry: &Path,
    dataset: &'static Dataset,
    today: Date,
    days: u32,
) -> Result<usize, FileError> {
    let is_before =
        |date: Date| i64::from(today.days_since_epoch()) - i64::from(date.days_since_epoch()) > i64::from(days);
    let is_old = |list: &KeptList| {
        let date = list.name.to.get(..10).and_then(|date| Date::parse(date).ok());
        date.is_some_and(is_before) && written_on(&list.path).is_none_or(is_before)
    };
    let folder = Folder::new(registry, dataset);
    let current = folder.published()?.map_or(u64::MAX, |current| current.number);
    let mut old = lists(&folder)?;
    let last = old.iter().map(|list| list.name.number).filter(|number| *number <= current).max();
    old.retain(|list| Some(list.name.number) < last && is_old(list));
    for list in &old {
        doing("removing", &list.path, absent_is_none(SystemDisk.remove(&list.path)))?;
    }
    Ok(old.len())
}

fn written_on(path: &Path) -> Option<Date> {
    Date::in_peru(i64::try_from(written(path)?).ok()?)
}

/// Seconds since 1970.
pub(super) fn written(path: &Path) -> Option<u64> {
    let modified = fs::metadata(path).ok()?.modified().ok()?;
    modified.duration_since(SystemTime::UNIX_EPOCH).ok().map(|since| since.as_secs())
}
