//! Writes a history by merging the old one, without removed changes, with further lists. All are sorted by row id, so
//! little memory is needed.

use std::iter::{self, Peekable};
use std::path::{Path, PathBuf};

use super::chain::Chain;
use super::error::HistoryError;
use super::event::{copy, push_event};
use super::file::{History, KIND};
use crate::block_file::{self, BlockError};
use crate::changes::{Change, ChangeList, EditionName};
use crate::folder::disk::Disk;
use crate::row_id::row_id_of;

struct AddedChanges<'a> {
    number: u64,
    /// The place in a row of each field of the list.
    places: Vec<Option<usize>>,
    changes: Peekable<Box<dyn Iterator<Item = Result<Change, BlockError>> + 'a>>,
}

impl Chain {
    /// `old` = `None`: nothing of the old history is kept.
    pub(super) fn write(&self, disk: &dyn Disk, path: &Path, old: Option<&History>) -> Result<(), HistoryError> {
        let (fields, kept) = (self.facts.fields.len(), self.kept_numbers(old));
        let added = self.facts.editions.iter().skip(self.kept.max(1)).zip(&self.lists);
        let open = |(edition, path): (&EditionName, &PathBuf)| {
            Ok((edition.number, in_list(edition.number, ChangeList::open_front(path))?))
        };
        let lists = added.map(open).collect::<Result<Vec<_>, HistoryError>>()?;
        let mut added: Vec<AddedChanges<'_>> = lists.iter().map(|(number, list)| self.added(*number, list)).collect();
        let new = iter::from_fn(|| next_events(&mut added, fields).transpose());
        block_file::write(disk, path, KIND, |writer| {
            writer.merge(old.map(|old| &old.file), new, |known, new: Option<Vec<u8>>, out| {
                out.extend(new.unwrap_or_default());
                match &kept {
                    None => out.extend_from_slice(known),
                    Some((after, last)) => {
                        copy(known, fields, |number| (after + 1..=*last).contains(&u64::from(number)), out)?;
                    }
                }
                Some(())
            })?;
            Ok::<_, HistoryError>(&self.facts)
        })
        .map(drop)
    }

    /// The first and last number that are kept; `None` = all are.
    fn kept_numbers(&self, old: Option<&History>) -> Option<(u64, u64)> {
        let last = self.kept.checked_sub(1).and_then(|last| self.facts.editions.get(last));
        let kept = (self.facts.first(), last.map_or(0, |last| last.number));
        old.filter(|old| (old.facts.first(), old.facts.last()) != kept).map(|_| kept)
    }

    fn added<'l>(&self, number: u64, list: &'l ChangeList) -> AddedChanges<'l> {
        let place = |field: &String| self.facts.fields.iter().position(|own| own == field);
        let changes: Box<dyn Iterator<Item = _>> = Box::new(list.changes());
        AddedChanges { number, places: list.facts().fields.iter().map(place).collect(), changes: changes.peekable() }
    }
}

fn next_events(lists: &mut [AddedChanges<'_>], fields: usize) -> Result<Option<(u32, Vec<u8>)>, HistoryError> {
    let mut least = None;
    for list in &mut *lists {
        // An error has no row id, and comes next.
        let next = list.changes.peek().map(|next| next.as_ref().map_or(0, |change| row_id_of(change.ruc)));
        least = least.into_iter().chain(next).min();
    }
    let (Some(row_id), mut events) = (least, Vec::new()) else { return Ok(None) };
    for list in lists.iter_mut().rev() {
        let is_next = |next: &Result<Change, _>| next.as_ref().map_or(true, |change| row_id_of(change.ruc) == row_id);
        if let Some(next) = list.changes.next_if(is_next) {
            let change = in_list(list.number, next)?;
            // Numbers are smaller than `MAX_NUMBER`.
            push_event(list.number as u32, change.kind, &list.places, fields, &mut events);
        }
    }
    Ok(Some((row_id, events)))
}

fn in_list<T>(number: u64, read: Result<T, BlockError>) -> Result<T, HistoryError> {
    read.map_err(|source| HistoryError::List { number, source })
}
