//! Updates the history of a dataset from its change lists.

use super::chain::chain;
use super::error::HistoryError;
use super::file::History;
use crate::changes::EditionName;
use crate::edition::summarise;
use crate::folder::disk::Disk;
use crate::folder::{Current, Folder};

/// Lists read at the same time: each takes some hundred kilobytes.
const AT_ONCE: usize = 64;

/// Updates the history under the folder's lock. A missing, damaged or unconnected history is rebuilt from the lists.
/// [`HistoryError`]; the history stays as it was.
pub(crate) fn update(disk: &dyn Disk, folder: &Folder) -> Result<(), HistoryError> {
    let Some(Current { label, number }) = folder.published()? else { return Ok(()) };
    let summary = summarise(folder.dataset(), &folder.edition(&label))?;
    bring(disk, folder, &EditionName::new(number, summary.identity, &summary.meta), true)
}

/// Extends the history to the edition `next`, which is about to be published and whose list is written. A history that
/// has `next` already stays, because it also has the served edition.
pub(crate) fn extend_to(disk: &dyn Disk, folder: &Folder, next: &EditionName) -> Result<(), HistoryError> {
    bring(disk, folder, next, false)
}

fn bring(disk: &dyn Disk, folder: &Folder, last: &EditionName, published: bool) -> Result<(), HistoryError> {
    let (dataset, path) = (folder.dataset(), folder.history());
    if dataset.history.is_none() {
        return Ok(());
    }
    let mut broken = Vec::new();
    loop {
        let old = History::open_file(dataset, &path).ok();
        let has_last = |old: &History| old.facts.editions.iter().any(|known| known.identity == last.identity);
        if !published && old.as_ref().is_some_and(has_last) {
            return Ok(());
        }
        let mut chain = chain(folder, last, old.as_ref().map(|old| &old.facts), broken.clone())?;
        if old.as_ref().is_some_and(|old| old.facts == chain.facts) {
            return Ok(());
        }
        let is_whole = chain.lists.len() <= AT_ONCE;
        chain.lists.truncate(AT_ONCE);
        chain.facts.editions.truncate(chain.kept.max(1) + chain.lists.len());
        match chain.write(disk, &path, old.as_ref().filter(|_| chain.kept > 0)) {
            Err(HistoryError::List { number, .. }) if !broken.contains(&number) => broken.push(number),
            Ok(()) if !is_whole => {}
            done => return done,
        }
    }
}
