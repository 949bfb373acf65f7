//! Verifies a builder's change lists and takes them in, so that all servers have one record with the same numbers.
//!
//! A list is verified by a required checksum, or by its two editions if both are here. Without required checksums,
//! another list is trusted as an edition is, but replaces nothing: own lists go only if verified ones replace them
//! without a hole, up to the edition that is about to be published.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use thiserror::Error;

use super::compare::tells;
use super::facts::{EditionName, ListFacts};
use super::file_name::FileName;
use super::kept::{forget_in, lists};
use super::list::{self, ChangeList};
use crate::Edition;
use crate::block_file::BlockError;
use crate::checksum::{Checksum, checksum_of, hex};
use crate::dataset::Dataset;
use crate::edition::summarise;
use crate::folder::disk::Disk;
use crate::folder::{Current, FileError, Folder, absent_is_none, copy, doing, move_into_place, unfinished};
use crate::format::header::Identity;

#[derive(Clone, Debug, Default)]
pub struct BuilderLists {
    pub names: Vec<String>,
    pub fetched: Vec<FetchedList>,
    /// Required checksums by name; `None` = none are required.
    pub sha256: Option<HashMap<String, Checksum>>,
}

#[derive(Clone, Debug)]
pub struct FetchedList {
    pub name: String,
    /// Where its bytes are now.
    pub file: PathBuf,
    /// When the other server wrote it.
    pub written: Option<SystemTime>,
}

/// A fetched list beside its future path.
struct UsableList {
    path: PathBuf,
    facts: ListFacts,
    is_verified: bool,
}

#[derive(Debug, Error)]
pub enum AdoptListsError {
    #[error("the list {name} is not usable")]
    List { name: String, source: BlockError },
    #[error("the list {name} is not used: {reason}")]
    Refused { name: String, reason: &'static str },
    #[error(transparent)]
    Folder(#[from] BlockError),
}

/// The change lists of finished publications, in order.
///
/// # Errors
/// [`FileError`] if the folder cannot be read.
pub fn list_files(registry: &Path, dataset: &'static Dataset) -> Result<Vec<PathBuf>, FileError> {
    let folder = Folder::new(registry, dataset);
    let last = folder.published()?.map_or(0, |current| current.number);
    let published = lists(&folder)?.into_iter().filter(|list| list.name.number <= last);
    Ok(published.map(|list| list.path).collect())
}

impl BuilderLists {
    /// The lists that are not in the folder and can perhaps be verified. Names that are no list's are left out.
    ///
    /// # Errors
    /// [`FileError`] if the folder cannot be read.
    pub fn missing(&self, registry: &Path, dataset: &'static Dataset) -> Result<Vec<String>, FileError> {
        let folder = Folder::new(registry, dataset);
        let own = lists(&folder)?;
        let is_missing = |text: &&String| {
            FileName::parse(text).is_some_and(|name| {
                let required = self.sha256.as_ref().is_none_or(|required| required.contains_key(*text));
                own.iter().all(|list| list.name != name) && (required || folder.edition(&name.from).exists())
            })
        };
        Ok(self.names.iter().filter(is_missing).cloned().collect())
    }

    fn verify(
        &self,
        disk: &dyn Disk,
        folder: &Folder,
        fetched: &FetchedList,
        editions: (Option<&Edition>, &Edition),
    ) -> Result<UsableList, AdoptListsError> {
        let FetchedList { name, file, written } = fetched;
        let refused = |reason| AdoptListsError::Refused { name: name.clone(), reason };
        let wrong = || refused("it is not the list with this name");
        let parsed = FileName::parse(name).ok_or_else(wrong)?;
        let path = folder.changes().join(parsed.text());
        let aside = unfinished(&path);
        copy(disk, file, &aside).map_err(BlockError::from)?;
        let list = ChangeList::open(&aside).map_err(|source| AdoptListsError::List { name: name.clone(), source })?;
        let facts = list.facts();
        let found = (facts.to.number, &facts.from.label, &facts.to.label);
        if facts.dataset != folder.dataset().name || found != (parsed.number, &parsed.from, &parsed.to) {
            return Err(wrong());
        }
        let is_verified = match self.sha256.as_ref().and_then(|required| required.get(name)) {
            Some(required) if checksum_of(&aside).ok() != Some(*required) => {
                return Err(refused("its SHA-256 is not the required one"));
            }
            Some(_) => true,
            None => match tells(&list, editions) {
                Some(false) => return Err(refused("it does not say what changed between its two editions")),
                // Whether it was a rollback, and hence its number, does not follow from the editions.
                told => told.is_some() && !facts.is_rollback,
            },
        };
        if !is_verified && self.sha256.is_some() {
            return Err(refused("no SHA-256 is required of it, and its two editions are not here"));
        }
        if let Some(written) = written {
            let dated = File::options().write(true).open(&aside).and_then(|file| file.set_modified(*written));
            doing("dating", &aside, dated).map_err(BlockError::from)?;
        }
        Ok(UsableList { path, facts: facts.clone(), is_verified })
    }
}

/// Adds the fetched lists that lead to the edition `new`, and removes own lists that verified ones replace. Earlier own
/// lists, which the builder has removed because of their age, stay. `old` is the current edition. The caller holds the
/// lock. After an error, other lists may have been taken.
pub(crate) fn adopt_lists(
    disk: &dyn Disk,
    folder: &Folder,
    theirs: &BuilderLists,
    (old, new): (Option<&Edition>, &Edition),
) -> Result<(), AdoptListsError> {
    let (mut usable, mut refused, mut seen) = (Vec::new(), Ok(()), HashSet::new());
    // A second file of a name would replace the verified one.
    for list in theirs.fetched.iter().filter(|list| seen.insert(&list.name)) {
        match theirs.verify(disk, folder, list, (old, new)) {
            Ok(list) => usable.push(list),
            Err(error) => refused = Err(error),
        }
    }
    let names: Vec<_> = theirs.names.iter().filter_map(|name| FileName::parse(name)).collect();
    let replaced = replace_lists(disk, folder, &names, &usable, new.identity());
    for list in theirs.fetched.iter().filter_map(|list| FileName::parse(&list.name)) {
        // The next import removes files that cannot be removed now.
        let _ = disk.remove(&unfinished(&folder.changes().join(list.text())));
    }
    replaced?;
    refused
}

fn replace_lists(
    disk: &dyn Disk,
    folder: &Folder,
    names: &[FileName],
    usable: &[UsableList],
    new: Identity,
) -> Result<(), BlockError> {
    let (shared, own): (Vec<_>, Vec<_>) = lists(folder)?.into_iter().partition(|list| names.contains(&list.name));
    let shared = shared.iter().filter_map(|list| Some((list::facts(&list.path).ok()?, true)));
    let usable_facts = usable.iter().map(|list| (list.facts.clone(), list.is_verified));
    let theirs: BTreeMap<u64, _> = shared.chain(usable_facts).map(|list| (list.0.to.number, list)).collect();
    let mut to_new = theirs.values().rev().skip_while(|(facts, _)| facts.to.identity != hex(new)).peekable();
    let Some(last) = to_new.peek().map(|(facts, _)| facts.to.number) else { return Ok(()) };
    // Back from the new edition, while one verified list leads to the next.
    let (mut first, mut before) = (last + 1, None::<&EditionName>);
    while let Some((facts, true)) = to_new.next()
        && before.is_none_or(|before| (before.number, &before.identity) == (facts.to.number, &facts.to.identity))
    {
        (first, before) = (facts.to.number, Some(&facts.from));
    }
    let (replaced, kept): (Vec<_>, Vec<_>) = own.into_iter().partition(|own| first <= last && first <= own.name.number);
    let (current, forgotten) = (folder.published()?, folder.forgotten()?);
    if let Some(Current { label, number }) = &current
        && replaced.iter().any(|own| own.name.number <= *number)
    {
        // Meanwhile neither record's publications are shown, so that there is no gap between them.
        folder.set_current(disk, label, first.saturating_sub(1))?;
    }
    for own in replaced {
        doing("removing", &own.path, absent_is_none(disk.remove(&own.path)))?;
    }
    for UsableList { path, facts, .. } in usable {
        if (first..=last).contains(&facts.to.number) || facts.to.number <= last && kept.is_empty() {
            let aside = unfinished(path);
            forget_in(disk, &aside, &forgotten)?;
            move_into_place(disk, &aside, path)?;
        }
    }
    let begin = theirs.keys().next().filter(|_| kept.is_empty()).map_or(first, |least| first.min(*least));
    Ok(current.filter(|_| begin <= last).map_or(Ok(()), |current| move_current(disk, folder, &current, begin))?)
}

/// Gives the current edition its number in the builder's record, which begins with the list `first`: later lists are of
/// editions that are not published here yet. An edition that is not in that record comes before it.
fn move_current(disk: &dyn Disk, folder: &Folder, current: &Current, first: u64) -> Result<(), FileError> {
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

/// The last list that leads to this edition.
pub(crate) fn list_to(folder: &Folder, identity: Identity) -> Result<Option<(PathBuf, ListFacts)>, FileError> {
    let identity = hex(identity);
    Ok(lists(folder)?.into_iter().rev().find_map(|list| {
        let facts = list::facts(&list.path).ok().filter(|facts| facts.to.identity == identity)?;
        Some((list.path, facts))
    }))
}
