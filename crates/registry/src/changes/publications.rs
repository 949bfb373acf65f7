//! The publications of a dataset: its change lists in order, up to the number in `CURRENT`. A publication without a
//! list is a gap, except a rollback to which the reverse of an earlier list leads.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use kuraka_domain::Date;
use thiserror::Error;

use super::facts::{EditionName, ListFacts};
use super::kept::{KeptList, lists, written};
use super::list::{self, ChangeList};
use crate::block_file::BlockError;
use crate::checksum::hex;
use crate::dataset::Dataset;
use crate::edition::summarise;
use crate::folder::{FileError, Folder, Stamp};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    pub number: u64,
    pub label: String,
    /// SHA-256 of its header, 64 lower-case hex digits; empty = unknown.
    pub identity: String,
}

#[derive(Clone, Debug)]
pub struct Publication {
    pub from: Published,
    pub to: Published,
    /// Seconds since 1970; without a list, the previous publication's.
    pub written: u64,
    list: Option<PathBuf>,
    /// Whether the changes are the reverse of the list's.
    is_reverse: bool,
    /// The facts of its own list; `None` = unreadable, or the editions were not compared.
    facts: Option<Arc<ListFacts>>,
}

/// The publications as far back as lists reach, in order.
#[derive(Clone, Debug, Default)]
pub struct Publications {
    /// The edition that was current before the first publication; `None` = no edition was current.
    pub start: Option<Published>,
    pub steps: Vec<Publication>,
}

#[derive(Debug, Error)]
pub enum ChangeGapError {
    #[error("no changes were recorded")]
    Missing,
    #[error("the editions were not compared: {0}")]
    NotCompared(String),
    #[error(transparent)]
    List(#[from] BlockError),
}

/// Reads publications, and keeps what it has read: a list never changes.
#[derive(Debug)]
pub struct PublicationReader {
    folder: Folder,
    lists: HashMap<PathBuf, KnownList>,
    last: Option<(Stamp, Arc<Publications>)>,
}

#[derive(Clone, Debug)]
struct KnownList {
    facts: Option<Arc<ListFacts>>,
    written: u64,
}

/// # Errors
/// [`FileError`] if the folder cannot be read.
pub fn publications(registry: &Path, dataset: &'static Dataset) -> Result<Arc<Publications>, FileError> {
    PublicationReader::new(registry, dataset).read()
}

/// `last` is the current edition or about to be. A list that cannot be read is a gap here: a history that lacks its changes
/// is made again.
pub(crate) fn publications_to(folder: &Folder, last: &EditionName) -> Result<Publications, FileError> {
    read(folder, last.into(), |list| Ok(KnownList::read(list).unwrap_or(KnownList { facts: None, written: 0 })))
}

impl PublicationReader {
    pub fn new(registry: &Path, dataset: &'static Dataset) -> Self {
        Self { folder: Folder::new(registry, dataset), lists: HashMap::new(), last: None }
    }

    pub const fn dataset(&self) -> &'static Dataset {
        self.folder.dataset()
    }

    /// # Errors
    /// [`FileError`] if the folder cannot be read.
    pub fn read(&mut self) -> Result<Arc<Publications>, FileError> {
        let stamp = self.folder.stamp();
        if let Some((_, last)) = self.last.as_ref().filter(|(of, _)| *of == stamp) {
            return Ok(Arc::clone(last));
        }
        let mut known = std::mem::take(&mut self.lists);
        let found = match self.folder.published()? {
            None => Publications::default(),
            Some(current) => {
                let summary = summarise(self.folder.dataset(), &self.folder.edition(&current.label));
                let identity = summary.map(|summary| hex(summary.identity)).unwrap_or_default();
                let current = Published { number: current.number, label: current.label, identity };
                read(&self.folder, current, |list| {
                    let read = known.remove(&list.path).map_or_else(|| KnownList::read(list), Ok)?;
                    self.lists.insert(list.path.clone(), read.clone());
                    Ok(read)
                })?
            }
        };
        let found = Arc::new(found);
        self.last = Some((stamp, Arc::clone(&found)));
        Ok(found)
    }

    /// Ignores the changes of a list from now on: it is damaged.
    pub fn give_up(&mut self, path: &Path) {
        if let Some(list) = self.lists.get_mut(path) {
            list.facts = None;
        }
        self.last = None;
    }
}

impl Publication {
    pub fn date(&self) -> Option<Date> {
        self.to.date()
    }

    /// Whether its changes are unknown, as far as the front of its list tells.
    pub const fn is_gap(&self) -> bool {
        self.facts.is_none() && !self.is_reverse
    }

    /// Its changes, verified.
    ///
    /// # Errors
    /// [`ChangeGapError`].
    pub fn changes(&self) -> Result<ChangeList, ChangeGapError> {
        let list = ChangeList::open(self.list.as_ref().ok_or(ChangeGapError::Missing)?)?;
        match &list.facts().gap {
            Some(reason) => Err(ChangeGapError::NotCompared(reason.clone())),
            None if self.is_reverse => Ok(list.reversed()),
            None => Ok(list),
        }
    }

    /// The change list and its file, not verified as a whole; `None` = there is no list.
    ///
    /// # Errors
    /// [`BlockError`] if anything but a block is damaged.
    pub fn changes_by_block(&self) -> Option<(&Path, Result<ChangeList, BlockError>)> {
        let path = self.list.as_deref().filter(|_| !self.is_gap())?;
        let list = ChangeList::open_front(path);
        Some((path, if self.is_reverse { list.map(ChangeList::reversed) } else { list }))
    }

    /// `None` = it has no list of its own.
    pub(crate) fn own_list(&self) -> Option<&Path> {
        self.list.as_deref().filter(|_| !self.is_reverse)
    }

    pub(crate) fn facts(&self) -> Option<&ListFacts> {
        self.facts.as_deref()
    }
}

impl Published {
    pub fn date(&self) -> Option<Date> {
        self.label.get(..10).and_then(|date| Date::parse(date).ok())
    }

    /// Whether both are the same edition, as far as is known.
    pub fn is_edition(&self, other: &Self) -> bool {
        let differ = self.identity != other.identity && !self.identity.is_empty() && !other.identity.is_empty();
        self.label == other.label && !differ
    }
}

impl From<&EditionName> for Published {
    fn from(EditionName { number, label, identity, .. }: &EditionName) -> Self {
        Self { number: *number, label: label.clone(), identity: identity.clone() }
    }
}

impl KnownList {
    /// A damaged list is a gap. One that cannot be read now is not: its changes would be skipped for ever.
    fn read(list: &KeptList) -> Result<Self, FileError> {
        let facts = match list::facts(&list.path) {
            Err(BlockError::File(error)) => return Err(error),
            facts => facts.ok().map(Arc::new),
        };
        Ok(Self { facts, written: written(&list.path).unwrap_or(0) })
    }
}

/// Follows the publications to the current edition. Lists with greater numbers are of publications that did not end.
/// `CURRENT` was read before: a publication writes its list first.
fn read(
    folder: &Folder,
    current: Published,
    mut known: impl FnMut(&KeptList) -> Result<KnownList, FileError>,
) -> Result<Publications, FileError> {
    let mut found = Publications::default();
    for list in lists(folder)?.into_iter().filter(|list| list.name.number <= current.number) {
        let KnownList { facts, written } = known(&list)?;
        let KeptList { name, path } = list;
        let (from, to) = match &facts {
            Some(facts) => ((&facts.from).into(), (&facts.to).into()),
            None => {
                let of = |number, label| Published { number, label, identity: String::new() };
                let last = found.last().filter(|last| last.label == name.from);
                let before = last.map_or(name.number.saturating_sub(1), |last| last.number);
                (of(before, name.from), of(name.number, name.to))
            }
        };
        found.go_to(from);
        let facts = facts.filter(|facts| facts.gap.is_none());
        found.push(to, |from, to| Publication { from, to, written, list: Some(path), is_reverse: false, facts });
    }
    found.go_to(current);
    Ok(found)
}

impl Publications {
    /// The successive current editions.
    pub fn editions(&self) -> impl DoubleEndedIterator<Item = &Published> {
        self.start.iter().chain(self.steps.iter().map(|step| &step.to))
    }

    fn last(&self) -> Option<&Published> {
        self.editions().next_back()
    }

    fn push(&mut self, to: Published, publication: impl FnOnce(Published, Published) -> Publication) {
        if let Some(from) = self.last().cloned() {
            self.steps.push(publication(from, to));
        }
    }

    /// Unless the edition `at` is current anyway, a publication without a list made it so.
    fn go_to(&mut self, at: Published) {
        let Some(last) = self.last() else {
            self.start = Some(at);
            return;
        };
        if (last.number, &last.label) == (at.number, &at.label) {
            return;
        }
        let leads_back =
            |step: &&Publication| step.facts.is_some() && step.to.is_edition(last) && step.from.is_edition(&at);
        let undone = self.steps.iter().rfind(leads_back);
        let (list, is_reverse) = (undone.and_then(|step| step.list.clone()), undone.is_some());
        let written = self.steps.last().map_or(0, |step| step.written);
        self.push(at, |from, to| Publication { from, to, written, list, is_reverse, facts: None });
    }
}
