//! The lists of changes that a folder keeps.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use kuraka_domain::Date;

use super::facts::EditionName;
use super::file_name::FileName;
use super::list;
use crate::checksum::hex;
use crate::dataset::Dataset;
use crate::edition::summarise;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{FileError, Folder, absent_is_none, doing, label_of};

/// A list's file.
#[derive(Clone, Debug)]
pub(super) struct KeptList {
    pub(super) name: FileName,
    pub(super) path: PathBuf,
}

/// An edition as far as it is known.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) label: String,
    /// `None` = the file that says it cannot be read.
    pub(super) identity: Option<String>,
}

impl State {
    pub(super) fn same(&self, other: &Self) -> bool {
        let differ = matches!((&self.identity, &other.identity), (Some(one), Some(other)) if one != other);
        self.label == other.label && !differ
    }
}

impl KeptList {
    /// The previous edition and the resulting one.
    pub(super) fn states(&self) -> (State, State) {
        let unreadable = |label: &String| State { label: label.clone(), identity: None };
        list::facts(&self.path).map_or_else(
            |_| (unreadable(&self.name.from), unreadable(&self.name.to)),
            |facts| (State::from(&facts.from), State::from(&facts.to)),
        )
    }
}

impl From<&EditionName> for State {
    fn from(edition: &EditionName) -> Self {
        Self { label: edition.label.clone(), identity: Some(edition.identity.clone()) }
    }
}

/// The lists in the folder, in the order of publication.
pub(super) fn lists(folder: &Folder) -> Result<Vec<KeptList>, FileError> {
    let path = folder.changes();
    let Some(entries) = doing("reading the folder", &path, absent_is_none(fs::read_dir(&path)))? else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for entry in entries {
        let file = doing("reading the folder", &path, entry)?;
        if let Some(name) = file.file_name().to_str().and_then(FileName::parse) {
            found.push(KeptList { name, path: file.path() });
        }
    }
    found.sort_by_key(|list| list.name.number);
    Ok(found)
}

/// The current edition; `None` = there is none.
pub(super) fn current(folder: &Folder) -> Result<Option<State>, FileError> {
    let Some(path) = folder.current()? else { return Ok(None) };
    let identity = summarise(folder.dataset(), &path).ok().map(|summary| hex(summary.identity));
    Ok(Some(State { label: label_of(&path), identity }))
}

/// Takes from `lists` the last ones that were written for a publication that did not end: they lead on from an edition
/// that the registry is still at, or that an operator rolled back from, and never was an edition of theirs current.
pub(super) fn take_orphans(
    folder: &Folder,
    current: Option<&State>,
    lists: &mut Vec<KeptList>,
) -> Result<Vec<KeptList>, FileError> {
    let Some(current) = current else { return Ok(Vec::new()) };
    let mut next: Option<State> = None;
    for (at, list) in lists.iter().enumerate().rev() {
        let (from, to) = list.states();
        let leads_on = next.is_none_or(|next| next.same(&to));
        if !leads_on || to.same(current) || folder.is_rolled_back(&to.label)? {
            break;
        }
        if from.same(current) || folder.is_rolled_back(&from.label)? {
            return Ok(lists.split_off(at));
        }
        next = Some(from);
    }
    Ok(Vec::new())
}

/// Removes the lists of changes that led to editions of more than `days` days before `today`, and returns how many. A
/// list whose file was written later than that stays: its edition is of an old file that was imported since. The last list
/// stays too: the next one has its number plus one, and numbers are never used again.
///
/// Editions are kept and removed independently of their lists.
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
    let mut old = lists(&Folder::of(registry, dataset))?;
    old.pop();
    old.retain(is_old);
    for list in &old {
        doing("removing", &list.path, absent_is_none(SystemDisk.remove(&list.path)))?;
    }
    Ok(old.len())
}

/// The day in Peru on which the file was written; `None` = it is not known.
fn written_on(path: &Path) -> Option<Date> {
    let modified = fs::metadata(path).ok()?.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Date::in_peru(i64::try_from(modified.as_secs()).ok()?)
}
