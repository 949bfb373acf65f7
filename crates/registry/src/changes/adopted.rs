//! Lists of changes that another server recorded: a server that fetches editions fetches the lists that lead to them, so
//! that all servers have one record, with the same numbers.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use thiserror::Error;

use super::error::ListError;
use super::file_name::FileName;
use super::kept::{current, lists, take_orphans};
use super::list::ChangeList;
use super::record::Recorded;
use crate::Edition;
use crate::dataset::Dataset;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{FileError, Folder, absent_is_none, copy, doing, move_into_place, unfinished};

/// A list that another server recorded.
#[derive(Clone, Debug)]
pub struct FetchedList {
    /// The name of its file.
    pub name: String,
    /// Where its bytes are now.
    pub file: PathBuf,
    /// When the other server wrote it.
    pub written: Option<SystemTime>,
}

/// Why fetched lists are not used.
#[derive(Debug, Error)]
pub enum AdoptListsError {
    /// A file is damaged.
    #[error("the list {name} is not usable")]
    List {
        /// The name of its file.
        name: String,
        /// What is wrong.
        source: ListError,
    },
    /// A file is not a list of this dataset with this name.
    #[error("{name} is not the name of this list of changes")]
    Name {
        /// The name of its file.
        name: String,
    },
    /// Another process publishes an edition now.
    #[error("another import or rollback is at work")]
    Busy,
    /// A file operation failed.
    #[error(transparent)]
    Folder(#[from] FileError),
}

/// The files of the lists of changes whose publications have ended, in their order.
///
/// # Errors
/// [`FileError`] if the folder cannot be read.
pub fn list_files(registry: &Path, dataset: &'static Dataset) -> Result<Vec<PathBuf>, FileError> {
    let folder = Folder::of(registry, dataset);
    let current = current(&folder)?;
    let mut found = lists(&folder)?;
    take_orphans(&folder, current.as_ref(), &mut found)?;
    Ok(found.into_iter().map(|list| list.path).collect())
}

/// Which of these lists of another server are not in the folder. A name that is not a list's is left out.
///
/// # Errors
/// [`FileError`] if the folder cannot be read.
pub fn missing_lists(registry: &Path, dataset: &'static Dataset, names: &[String]) -> Result<Vec<String>, FileError> {
    let own = lists(&Folder::of(registry, dataset))?;
    let is_missing =
        |name: &&String| FileName::parse(name).is_some_and(|name| own.iter().all(|list| list.name != name));
    Ok(names.iter().filter(is_missing).cloned().collect())
}

/// Adds fetched lists to the folder, and removes own lists that the other server does not have: `names` are its lists.
/// Earlier ones, which it has removed because of their age, stay.
///
/// # Errors
/// [`AdoptListsError`]; lists before the failing one are there.
pub fn adopt_lists(
    registry: &Path,
    dataset: &'static Dataset,
    names: &[String],
    fetched: &[FetchedList],
) -> Result<(), AdoptListsError> {
    let (folder, disk) = (Folder::of(registry, dataset), SystemDisk);
    folder.create(&disk)?;
    let Some(_lock) = folder.lock()? else { return Err(AdoptListsError::Busy) };
    let names: Vec<_> = names.iter().filter_map(|name| FileName::parse(name)).collect();
    let first = names.iter().map(|name| name.number).min().unwrap_or(u64::MAX);
    for own in lists(&folder)? {
        if own.name.number >= first && !names.contains(&own.name) {
            doing("removing", &own.path, absent_is_none(disk.remove(&own.path)))?;
        }
    }
    for FetchedList { name, file, written } in fetched {
        let wrong = || AdoptListsError::Name { name: name.clone() };
        let parsed = FileName::parse(name).ok_or_else(wrong)?;
        let path = folder.changes().join(parsed.text());
        let aside = unfinished(&path);
        copy(&disk, file, &aside)?;
        let list = ChangeList::open(&aside).map_err(|source| AdoptListsError::List { name: name.clone(), source })?;
        let facts = list.facts();
        let labels = (&facts.from.label, &facts.to.label);
        if facts.dataset != dataset.name || labels != (&parsed.from, &parsed.to) {
            return Err(wrong());
        }
        if let Some(written) = written {
            let file = doing("opening", &aside, File::options().write(true).open(&aside))?;
            doing("dating", &aside, file.set_modified(*written))?;
        }
        move_into_place(&disk, &aside, &path)?;
    }
    Ok(())
}

/// The list that leads to `new`, if it is the last one: it was fetched before the edition.
pub(crate) fn recorded(folder: &Folder, new: &Edition) -> Result<Option<Recorded>, FileError> {
    let Some(last) = lists(folder)?.pop() else { return Ok(None) };
    let found = ChangeList::open_front(&last.path).ok().filter(|list| list.facts().to == new.name());
    let bytes = std::fs::metadata(&last.path).map_or(0, |file| file.len());
    Ok(found.map(|list| {
        let facts = list.facts();
        Recorded { path: last.path, bytes, counts: facts.counts, gap: facts.gap.clone() }
    }))
}
