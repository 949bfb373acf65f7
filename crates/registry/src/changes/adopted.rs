//! Lists of changes that another server recorded: a server that fetches editions fetches the lists that lead to them, so
//! that all servers have one record, with the same numbers.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use thiserror::Error;

use super::facts::ListFacts;
use super::file_name::FileName;
use super::kept::lists;
use super::list::{self, ChangeList};
use crate::block_file::BlockError;
use crate::checksum::hex;
use crate::dataset::Dataset;
use crate::edition::summarise;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{Current, FileError, Folder, absent_is_none, copy, doing, move_into_place, unfinished};
use crate::format::header::Identity;

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
        source: BlockError,
    },
    /// A file is not a list of this dataset with this name.
    #[error("{name} is not the name of this list of changes")]
    Name {
        /// The name of its file.
        name: String,
    },
    /// Another process publishes an edition now.
    #[error("another import or rollback is running")]
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
    let last = folder.published()?.map_or(0, |current| current.number);
    let published = lists(&folder)?.into_iter().filter(|list| list.name.number <= last);
    Ok(published.map(|list| list.path).collect())
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
        let found = (facts.to.number, &facts.from.label, &facts.to.label);
        if facts.dataset != dataset.name || found != (parsed.number, &parsed.from, &parsed.to) {
            return Err(wrong());
        }
        if let Some(written) = written {
            let file = doing("opening", &aside, File::options().write(true).open(&aside))?;
            doing("dating", &aside, file.set_modified(*written))?;
        }
        move_into_place(&disk, &aside, &path)?;
    }
    renumber_current(&disk, &folder, first)
}

/// Gives the current edition its number in the other server's record, which begins with the list `first`: a later list is
/// of an edition that is not published here yet. An edition that is not in that record comes before it.
fn renumber_current(disk: &dyn Disk, folder: &Folder, first: u64) -> Result<(), AdoptListsError> {
    let Some(Current { label, number }) = folder.published()? else { return Ok(()) };
    let Ok(summary) = summarise(folder.dataset(), &folder.edition(&label)) else { return Ok(()) };
    let identity = hex(summary.identity);
    let theirs = lists(folder)?.into_iter().filter(|list| list.name.number >= first);
    let facts = theirs.filter_map(|list| list::facts(&list.path).ok());
    let editions = facts.flat_map(|facts| [facts.from, facts.to]).filter(|edition| edition.identity == identity);
    let known: Vec<u64> = editions.map(|edition| edition.number).collect();
    let theirs = known.iter().max().copied().unwrap_or(number.min(first.saturating_sub(1)));
    if theirs != number && !known.contains(&number) {
        folder.set_current(disk, &label, theirs)?;
    }
    Ok(())
}

/// The last list that leads to the edition with this identity.
pub(crate) fn list_to(folder: &Folder, identity: Identity) -> Result<Option<(PathBuf, ListFacts)>, FileError> {
    let identity = hex(identity);
    Ok(lists(folder)?.into_iter().rev().find_map(|list| {
        let facts = list::facts(&list.path).ok().filter(|facts| facts.to.identity == identity)?;
        Some((list.path, facts))
    }))
}
