//! The editions of a history: those that the change lists lead back to from the last one. What lies between two
//! publications of the same edition is left out: an operator returned to it.

use std::path::PathBuf;

use super::facts::Facts;
use crate::changes::{ChangeList, EditionName, Published, publications_to};
use crate::folder::{FileError, Folder};

pub(super) struct Chain {
    pub(super) facts: Facts,
    /// How many of the editions the old history has; 0 = rebuild.
    pub(super) kept: usize,
    /// The verified lists of the later editions, one for each.
    pub(super) lists: Vec<PathBuf>,
}

/// The chain to `last`, the current edition or the next one. A list that cannot be read, such as those numbered in
/// `broken`, ends it, unless the old history has its changes.
pub(super) fn chain(
    folder: &Folder,
    last: &EditionName,
    old: Option<&Facts>,
    mut broken: Vec<u64>,
) -> Result<Chain, FileError> {
    let publications = publications_to(folder, last)?;
    let places: Vec<&Published> = publications.editions().collect();
    'chain: loop {
        let (mut editions, mut paths, mut to, mut places) = (Vec::new(), Vec::new(), last.clone(), places.as_slice());
        let begins_after_gap = loop {
            let edition = Published::from(&to);
            let Some(at) = places.iter().position(|place| place.is_edition(&edition)) else { break true };
            to.number = places.get(at).map_or(to.number, |place| place.number);
            let Some(step) = at.checked_sub(1).and_then(|step| publications.steps.get(step)) else { break false };
            // A rollback's list does not say what was before the edition that it returned to, nor does the old history
            // of another server's list.
            let known = step.facts().filter(|facts| !facts.is_rollback).map(|facts| &facts.from);
            let from = known.or_else(|| old.and_then(|old| before(&old.editions, &to)));
            let list = step.own_list().filter(|_| !broken.contains(&to.number));
            let Some((path, from)) = list.zip(from) else { break true };
            editions.push(std::mem::replace(&mut to, from.clone()));
            paths.push(path);
            places = places.get(..at).unwrap_or_default();
        };
        editions.push(to);
        editions.reverse();
        paths.reverse();
        let kept = old.map_or(0, |old| common(&old.editions, &editions));
        let mut lists = Vec::new();
        for (edition, path) in editions.iter().skip(1).zip(paths).skip(kept.saturating_sub(1)) {
            match ChangeList::open(path) {
                Ok(_) => lists.push(path.to_owned()),
                Err(_) => {
                    broken.push(edition.number);
                    continue 'chain;
                }
            }
        }
        let dataset = folder.dataset();
        let fields = dataset.history.unwrap_or_default().iter().map(|&field| field.to_owned()).collect();
        let facts = Facts { dataset: dataset.name.to_owned(), fields, editions, begins_after_gap };
        return Ok(Chain { facts, kept, lists });
    }
}

/// The edition that precedes the edition `to` in the old history.
fn before<'a>(old: &'a [EditionName], to: &EditionName) -> Option<&'a EditionName> {
    let at = old.iter().rposition(|known| (known.number, &known.identity) == (to.number, &to.identity))?;
    old.get(at.checked_sub(1)?)
}

fn common(old: &[EditionName], editions: &[EditionName]) -> usize {
    let start = old.iter().position(|known| Some(known) == editions.first());
    let Some(old) = start.and_then(|start| old.get(start..)) else { return 0 };
    old.iter().zip(editions).take_while(|(known, edition)| known == edition).count()
}
