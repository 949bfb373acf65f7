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
    let folder = Folder::new(registry, dataset);
    let last = folder.published()?.map_or(0, |current| current.number);
    let published = lists(&folder)?.into_iter().filter(|list| list.name.number <= last);
    Ok(published.map(|list| list.path).collect())
}

/// Which of these lists of another server are not in the folder. A name that is not a list's is left out.
///
/// # Errors
/// [`FileError`] if the folder cannot be read.
pub fn missing_lists(registry: &Path, dataset: &'static Dataset, names: &[String]) -> Result<Vec<String>, FileError> {
    let own = lists(&Folder::new(registry, dataset))?;
    let is_missing =
        |name: &&String| FileName::parse(name).is_some_and(|name| own.iter().all(|list| list.name != name));
    Ok(names.iter().filter(is_missing).cloned().collect())
}

/// Adds fetched lists to the folder, and removes own lists that the other server does not have: `names` are its lists.
/// Earlier ones, which it has removed because of their age, stay.
///
/// # Errors
/// [`AdoptListsError`]; if a fetched list is not usable, nothing changed.
pub fn adopt_lists(
    registry: &Path,
    dataset: &'static Dataset,
    names: &[String],
    fetched: &[FetchedList],
) -> Result<(), AdoptListsError> {
    adopt_lists_on(&SystemDisk, &Folder::new(registry, dataset), names, fetched)
}

/// As [`adopt_lists`], on a given disk.
pub(crate) fn adopt_lists_on(
    disk: &dyn Disk,
    folder: &Folder,
    names: &[String],
    fetched: &[FetchedList],
) -> Result<(), AdoptListsError> {
    folder.create(disk)?;
    let Some(_lock) = folder.lock()? else { return Err(AdoptListsError::Busy) };
    let names: Vec<_> = names.iter().filter_map(|name| FileName::parse(name)).collect();
    let verified = fetched.iter().map(|list| verified(disk, folder, list)).collect::<Result<Vec<_>, _>>();
    let adopted = verified.and_then(|verified| replace_lists(disk, folder, &names, &verified));
    if adopted.is_err() {
        // The next import removes files that cannot be removed now.
        let _ = folder.remove_unfinished(disk);
    }
    adopted
}

/// Copies a fetched list to the folder, under another name than its own, and verifies it. Returns the path that it gets.
fn verified(disk: &dyn Disk, folder: &Folder, fetched: &FetchedList) -> Result<PathBuf, AdoptListsError> {
    let FetchedList { name, file, written } = fetched;
    let wrong = || AdoptListsError::Name { name: name.clone() };
    let parsed = FileName::parse(name).ok_or_else(wrong)?;
    let path = folder.changes().join(parsed.text());
    let aside = unfinished(&path);
    copy(disk, file, &aside)?;
    let list = ChangeList::open(&aside).map_err(|source| AdoptListsError::List { name: name.clone(), source })?;
    let facts = list.facts();
    let found = (facts.to.number, &facts.from.label, &facts.to.label);
    if facts.dataset != folder.dataset().name || found != (parsed.number, &parsed.from, &parsed.to) {
        return Err(wrong());
    }
    if let Some(written) = written {
        let file = doing("opening", &aside, File::options().write(true).open(&aside))?;
        doing("dating", &aside, file.set_modified(*written))?;
    }
    Ok(path)
}

/// Removes own lists that the other server does not have, and moves the verified ones to these paths.
fn replace_lists(
    disk: &dyn Disk,
    folder: &Folder,
    names: &[FileName],
    verified: &[PathBuf],
) -> Result<(), AdoptListsError> {
    let first = names.iter().map(|name| name.number).min().unwrap_or(u64::MAX);
    let (current, mut own) = (folder.published()?, lists(folder)?);
    own.retain(|own| own.name.number >= first && !names.contains(&own.name));
    if let Some(Current { label, number }) = &current
        && own.iter().any(|own| own.name.number <= *number)
    {
        // In the meantime no publication of either record is shown, so that there is no gap between them.
        folder.set_current(disk, label, first.saturating_sub(1))?;
    }
    for own in own {
        doing("removing", &own.path, absent_is_none(disk.remove(&own.path)))?;
    }
    for path in verified {
        move_into_place(disk, &unfinished(path), path)?;
    }
    current.map_or(Ok(()), |current| renumber(disk, folder, &current, first))
}

/// Gives the current edition its number in the other server's record, which begins with the list `first`: a later list is
/// of an edition that is not published here yet. An edition that is not in that record comes before it.
fn renumber(disk: &dyn Disk, folder: &Folder, current: &Current, first: u64) -> Result<(), AdoptListsError> {
    let Current { label, number } = current;
    let theirs = match summarise(folder.dataset(), &folder.edition(label)) {
        Err(_) => *number,
        Ok(summary) => {
            let identity = hex(summary.identity);
            let theirs = lists(folder)?.into_iter().filter(|list| list.name.number >= first);
            let facts = theirs.filter_map(|list| list::facts(&list.path).ok());
            let editions = facts.flat_map(|facts| [facts.from, facts.to]);
            let known: Vec<u64> =
                editions.filter(|edition| edition.identity == identity).map(|edition| edition.number).collect();
            let last = known.iter().max().copied().unwrap_or((*number).min(first.saturating_sub(1)));
            if known.contains(number) { *number } else { last }
        }
    };
    if folder.published()?.is_none_or(|current| current.number != theirs) {
        folder.set_current(disk, label, theirs)?;
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
