//! The lists of changes of a dataset in the order of publication, with the gaps between them.

use std::path::{Path, PathBuf};

use kuraka_domain::Date;
use thiserror::Error;

use super::error::ListError;
use super::facts::EditionName;
use super::kept::{KeptList, State, current, lists, take_orphans};
use super::list::ChangeList;
use super::publications::date_of;
use crate::dataset::Dataset;
use crate::folder::{FileError, Folder};

/// What became of a dataset from one of its editions to the next.
#[derive(Debug)]
pub struct Step {
    /// Label of the previous edition.
    pub from: String,
    /// Label of the resulting edition.
    pub to: String,
    /// Whether the registry has returned to an edition before the resulting one, so that the current edition does not
    /// have these changes.
    pub undone: bool,
    /// The changes, or why they are not known.
    pub changes: Result<ChangeList, ChangeGap>,
}

/// Why the changes between two editions are not known.
#[derive(Debug, Error)]
pub enum ChangeGap {
    /// No list leads from one edition to the next.
    #[error("no changes were recorded")]
    Missing,
    /// The editions were not compared when the second one was published.
    #[error("the editions were not compared: {0}")]
    NotCompared(String),
    /// The list cannot be read.
    #[error(transparent)]
    List(#[from] ListError),
}

/// A step whose list is not yet verified.
struct Planned {
    from: State,
    to: State,
    undone: bool,
    /// `None` = there is no list.
    list: Option<KeptList>,
}

/// The changes of a dataset of the registry in `registry`, in the order of publication; with `since`, those that led to
/// editions of that day or later. Each list is verified when the iterator comes to it.
///
/// # Errors
/// [`FileError`] if the folder cannot be read.
pub fn changes(
    registry: &Path,
    dataset: &'static Dataset,
    since: Option<Date>,
) -> Result<impl Iterator<Item = Step> + use<>, FileError> {
    let mut steps = planned(&Folder::of(registry, dataset))?;
    steps.retain(|step| since.is_none_or(|since| date_of(&step.to.label).is_none_or(|date| date >= since)));
    Ok(steps.into_iter().map(Planned::verify))
}

/// The steps to the current edition.
fn planned(folder: &Folder) -> Result<Vec<Planned>, FileError> {
    // Before the lists, because a publication writes its list first: a later one is of a publication after this.
    let current = current(folder)?;
    let mut lists = lists(folder)?;
    take_orphans(folder, current.as_ref(), &mut lists)?;
    Ok(plan(lists, current))
}

/// A list that leads to the current edition.
pub(crate) struct Link {
    pub(crate) number: u64,
    pub(crate) path: PathBuf,
}

/// The lists that lead to the current edition, or to `next` if its publication is about to end, and whether a gap is
/// before the first of them. Lists of undone steps are not among them.
pub(crate) fn links(folder: &Folder, next: Option<&EditionName>) -> Result<(Vec<Link>, bool), FileError> {
    let steps = match next {
        None => planned(folder)?,
        Some(next) => plan(lists(folder)?, Some(State::from(next))),
    };
    let mut links = Vec::new();
    for step in steps.into_iter().rev().filter(|step| !step.undone) {
        let Some(list) = step.list else {
            links.reverse();
            return Ok((links, true));
        };
        links.push(Link { number: list.name.number, path: list.path });
    }
    links.reverse();
    Ok((links, false))
}

/// Follows the publications from the first list to the current edition.
fn plan(lists: Vec<KeptList>, current: Option<State>) -> Vec<Planned> {
    let mut steps: Vec<Planned> = Vec::new();
    // The editions that lead to the last one, each with the steps before it.
    let mut path: Vec<(State, usize)> = Vec::new();
    for list in lists {
        let (from, to) = list.states();
        go_to(&from, &mut steps, &mut path);
        steps.push(Planned { from, to: to.clone(), undone: false, list: Some(list) });
        path.push((to, steps.len()));
    }
    if let Some(current) = current.filter(|_| !path.is_empty()) {
        go_to(&current, &mut steps, &mut path);
    }
    steps
}

/// The registry is at the edition `at`: unless it was there anyway, it has returned to it, or there is a gap.
fn go_to(at: &State, steps: &mut Vec<Planned>, path: &mut Vec<(State, usize)>) {
    if let Some(place) = path.iter().rposition(|(state, _)| state.same(at)) {
        path.truncate(place + 1);
        let kept = path.last().map_or(0, |(_, steps)| *steps);
        steps.iter_mut().skip(kept).for_each(|step| step.undone = true);
        return;
    }
    if let Some((last, _)) = path.last() {
        steps.push(Planned { from: last.clone(), to: at.clone(), undone: false, list: None });
    }
    path.push((at.clone(), steps.len()));
}

impl Planned {
    fn verify(self) -> Step {
        let changes = match &self.list {
            None => Err(ChangeGap::Missing),
            Some(list) => {
                ChangeList::open(&list.path).map_err(ChangeGap::List).and_then(|list| match list.facts().gap.clone() {
                    None => Ok(list),
                    Some(reason) => Err(ChangeGap::NotCompared(reason)),
                })
            }
        };
        Step { from: self.from.label, to: self.to.label, undone: self.undone, changes }
    }
}
