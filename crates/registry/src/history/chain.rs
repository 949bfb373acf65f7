//! The editions that a history should have: those that the lists of changes lead back to from the last one.

use super::facts::{Facts, HistoryEdition};
use crate::changes::{ChangeList, EditionName, links, list_facts};
use crate::folder::{FileError, Folder};

/// A history as it should be.
pub(super) struct Chain {
    pub(super) facts: Facts,
    /// How many of its first editions the old history has one after the other, too; 0 = nothing of that is of use.
    pub(super) kept: usize,
    /// The lists of the editions after those.
    pub(super) lists: Vec<ChangeList>,
}

/// The chain to `last`, the current edition or, if it is not `published` yet, the next one. `old` is what the old history
/// says about itself.
///
/// A list that cannot be read ends the chain, unless the old history has its changes. Lists with the numbers in `broken`
/// are such ones.
pub(super) fn chain(
    folder: &Folder,
    last: &EditionName,
    published: bool,
    old: Option<&Facts>,
    mut broken: Vec<u64>,
) -> Result<Chain, FileError> {
    let (links, is_after_gap) = links(folder, (!published).then_some(last))?;
    'chain: loop {
        let (mut editions, mut paths, mut begins_after_gap, mut to) =
            (Vec::new(), Vec::new(), is_after_gap, last.clone());
        for link in links.iter().rev() {
            let from = if broken.contains(&link.number) {
                None
            } else if let Some(from) = old.and_then(|old| before(old, link.number, &to)) {
                Some(from)
            } else {
                let facts = list_facts(&link.path).ok();
                let facts = facts.filter(|facts| facts.gap.is_none() && facts.to.identity == to.identity);
                facts.map(|facts| facts.from)
            };
            let Some(from) = from else {
                begins_after_gap = true;
                break;
            };
            editions.push(HistoryEdition { list: link.number, name: std::mem::replace(&mut to, from) });
            paths.push(&link.path);
        }
        editions.push(HistoryEdition { list: 0, name: to });
        editions.reverse();
        paths.reverse();
        let (start, kept) = old.map_or((1, 0), |old| common(old, &editions));
        let mut lists = Vec::new();
        for (edition, path) in editions.iter().skip(1).zip(paths).skip(kept.saturating_sub(1)) {
            match ChangeList::open(path) {
                Ok(list) => lists.push(list),
                Err(_) => {
                    broken.push(edition.list);
                    continue 'chain;
                }
            }
        }
        let dataset = folder.dataset();
        let fields = dataset.history.unwrap_or_default().iter().map(|&field| field.to_owned()).collect();
        let facts = Facts { dataset: dataset.name.to_owned(), fields, first: start, editions, begins_after_gap };
        return Ok(Chain { facts, kept, lists });
    }
}

/// The edition before `to`, if this list led to `to` in the old history.
fn before(old: &Facts, list: u64, to: &EditionName) -> Option<EditionName> {
    let at = old.editions.iter().rposition(|known| known.list == list && known.name.identity == to.identity)?;
    Some(old.editions.get(at.checked_sub(1)?)?.name.clone())
}

/// The number of the first edition, and how many of these editions the old history has.
fn common(old: &Facts, editions: &[HistoryEdition]) -> (u32, usize) {
    let is_first = |known: &HistoryEdition| editions.first().is_some_and(|first| known.name == first.name);
    let Some(start) = old.editions.iter().rposition(is_first) else { return (1, 0) };
    let pairs = old.editions.iter().skip(start + 1).zip(editions.iter().skip(1));
    (old.first + start as u32, 1 + pairs.take_while(|(known, edition)| known == edition).count())
}
