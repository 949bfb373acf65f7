//! The publications of a dataset, each with the list that has its changes: an edition that followed another one, or a
//! rollback, whose changes are the reverse.
//!
//! Lists and the current edition tell them all: an edition from which a later list leads on, and which is not the last one,
//! was returned to.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use kuraka_domain::Date;

use super::kept::{KeptList, State, current, lists, take_orphans};
use super::list;
use crate::dataset::Dataset;
use crate::folder::{FileError, Folder, Stamp};

/// One publication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// The number of the last list that was published; 0 = there was none.
    pub number: u64,
    /// How many publications without a list of their own followed that one: rollbacks and gaps.
    pub undone: u32,
    /// The label of the edition that became current.
    pub label: String,
    /// The list that has the changes; `None` = no list has them.
    pub list: Option<PathBuf>,
    /// Whether the changes are the reverse of the list's.
    pub is_rollback: bool,
    /// Seconds since 1970 when the list was written. A rollback has the time of the publication before.
    pub written: u64,
}

/// The publications of a dataset as far as lists reach back, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Publications {
    /// The label of the edition that was current before the first publication; `None` = there is no edition.
    pub start: Option<String>,
    /// The publications.
    pub steps: Vec<Publication>,
}

/// Reads the publications of a dataset, and keeps what it has read: a list never changes.
#[derive(Debug)]
pub struct PublicationReader {
    folder: Folder,
    lists: HashMap<PathBuf, Known>,
    last: Option<(Stamp, Arc<Publications>)>,
}

#[derive(Clone, Debug)]
struct Known {
    states: (State, State),
    written: u64,
    has_changes: bool,
}

/// The walk through the publications.
#[derive(Default)]
struct Walk {
    found: Publications,
    /// The editions that lead to the last one, each with the publication that led to it.
    path: Vec<(State, Option<Publication>)>,
}

impl PublicationReader {
    /// Of a dataset of the registry in `registry`.
    #[must_use]
    pub fn of(registry: &Path, dataset: &'static Dataset) -> Self {
        Self { folder: Folder::of(registry, dataset), lists: HashMap::new(), last: None }
    }

    /// The dataset.
    #[must_use]
    pub const fn dataset(&self) -> &'static Dataset {
        self.folder.dataset()
    }

    /// The publications.
    ///
    /// # Errors
    /// [`FileError`] if the folder cannot be read.
    pub fn read(&mut self) -> Result<Arc<Publications>, FileError> {
        let stamp = self.folder.stamp();
        if let Some((_, last)) = self.last.as_ref().filter(|(of, _)| *of == stamp) {
            return Ok(Arc::clone(last));
        }
        // Before the lists, because a publication writes its list first.
        let current = current(&self.folder)?;
        let mut lists = lists(&self.folder)?;
        take_orphans(&self.folder, current.as_ref(), &mut lists)?;
        let mut read = std::mem::take(&mut self.lists);
        let mut walk = Walk::default();
        for list in lists {
            let Known { states: (from, to), written, has_changes } = self.known(&mut read, &list);
            walk.go_to(from);
            let (number, label) = (list.name.number, to.label.clone());
            let list = has_changes.then_some(list.path);
            walk.step(Publication { number, undone: 0, label, list, is_rollback: false, written }, to);
        }
        if let Some(current) = current {
            walk.go_to(current);
        }
        let found = Arc::new(walk.found);
        self.last = Some((stamp, Arc::clone(&found)));
        Ok(found)
    }

    /// What a list says, which is read only once.
    fn known(&mut self, read: &mut HashMap<PathBuf, Known>, list: &KeptList) -> Known {
        let (path, known) = read.remove_entry(&list.path).unwrap_or_else(|| (list.path.clone(), Known::read(list)));
        self.lists.insert(path, known.clone());
        known
    }

    /// From now on the list in the file at `path` has no changes: it is damaged.
    pub fn give_up(&mut self, path: &Path) {
        if let Some(list) = self.lists.get_mut(path) {
            list.has_changes = false;
        }
        self.last = None;
    }
}

impl Publication {
    /// The date of the edition that became current.
    #[must_use]
    pub fn date(&self) -> Option<Date> {
        date_of(&self.label)
    }
}

/// The date in an edition's label.
#[must_use]
pub fn date_of(label: &str) -> Option<Date> {
    label.get(..10).and_then(|date| Date::parse(date).ok())
}

impl Known {
    fn read(list: &KeptList) -> Self {
        let facts = list::facts(&list.path).ok();
        let written = || std::fs::metadata(&list.path).ok()?.modified().ok();
        let written = written().and_then(|at| at.duration_since(SystemTime::UNIX_EPOCH).ok());
        Self {
            states: list.states(),
            written: written.map_or(0, |since| since.as_secs()),
            has_changes: facts.is_some_and(|facts| facts.gap.is_none()),
        }
    }
}

impl Walk {
    fn step(&mut self, publication: Publication, to: State) {
        self.found.steps.push(publication.clone());
        self.path.push((to, Some(publication)));
    }

    /// The registry is at the edition `at`: unless it was there anyway, it has returned to it, or there is a gap.
    fn go_to(&mut self, at: State) {
        let Some((last, _)) = self.path.last() else {
            self.found.start = Some(at.label.clone());
            self.path.push((at, None));
            return;
        };
        if last.same(&at) {
            return;
        }
        let next = |steps: &[Publication]| match steps.last() {
            Some(last) => Publication { undone: last.undone + 1, ..last.clone() },
            None => {
                Publication { number: 0, undone: 1, label: String::new(), list: None, is_rollback: false, written: 0 }
            }
        };
        let Some(place) = self.path.iter().rposition(|(state, _)| state.same(&at)) else {
            let gap =
                Publication { label: at.label.clone(), list: None, is_rollback: false, ..next(&self.found.steps) };
            self.step(gap, at);
            return;
        };
        while self.path.len() > place + 1 {
            let undone = self.path.pop().and_then(|(_, publication)| publication);
            let label = self.path.last().map(|(state, _)| state.label.clone()).unwrap_or_default();
            let list = undone.and_then(|undone| undone.list);
            self.found.steps.push(Publication { label, list, is_rollback: true, ..next(&self.found.steps) });
        }
    }
}
