//! Writes a history: the old one without the changes that are to be removed, and the changes of further lists.
//!
//! Both are in the order of row ids, so they are merged from start to end with little memory. Buckets that nothing
//! changes are copied as they are.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::path::Path;

use super::error::HistoryError;
use super::event::{Codec, Stored, head, push_head};
use super::facts::Facts;
use super::file::History;
use super::open::MAGIC;
use super::write::{Records, merge, rows, words_of, write};
use crate::changes::{Change, ChangeList, Changes};
use crate::checksum::parse_checksum;
use crate::folder::disk::Disk;
use crate::format::bucket::{self, Bucket, Span};
use crate::format::codes;
use crate::format::groups::{self, GROUP_BITS, Written};
use crate::index::{IndexError, SortedRows, Vocabulary};
use crate::row_id::row_id_of;

/// Rows of a bucket to which rows were added. With more the group is divided anew.
const MOST_ADDED: usize = 20;

/// What is written.
pub(super) struct Extension<'a> {
    /// The old history, if any of it is of use.
    pub(super) old: Option<&'a History>,
    /// How values are stored.
    pub(super) codec: Codec,
    /// What the new one says about itself.
    pub(super) facts: &'a Facts,
    /// How many of the first editions the old one has.
    pub(super) kept: usize,
    /// The lists of the editions after those.
    pub(super) lists: &'a [ChangeList],
}

impl Extension<'_> {
    /// Writes and syncs the file at `path`.
    pub(super) fn write(&self, disk: &dyn Disk, path: &Path) -> Result<(), HistoryError> {
        let old = self.old.map(|old| &old.container);
        let mut words = words_of(old)?;
        if old.is_none() {
            // First, so that these take one byte.
            let numbered = codes::texts().try_for_each(|text| words.number(text.as_bytes()).map(drop));
            numbered.map_err(IndexError::from)?;
        }
        let mut added = Added::open(self)?;
        let group = |group, words: &mut Vocabulary, sorted: &mut SortedRows| {
            let new = added.group(self, group, words)?;
            self.group(group, &new, &mut sorted.bytes, &mut sorted.buckets).ok_or(HistoryError::Damaged)
        };
        let last = self.facts.editions.last().and_then(|last| parse_checksum(&last.identity));
        let header = (MAGIC, self.facts.last(), last.unwrap_or_default());
        write((disk, path), old, words, group, header, self.facts)
    }

    /// Whether changes of the old history are left out.
    fn shortens(&self) -> bool {
        self.old.is_some_and(|old| (old.facts.first(), old.facts.last()) != (self.facts.first(), self.last_kept()))
    }

    /// The number of the last edition that the old history has.
    fn last_kept(&self) -> u64 {
        let last = self.kept.checked_sub(1).and_then(|last| self.facts.editions.get(last));
        last.map_or(0, |last| last.number)
    }

    /// Appends the buckets of a group; `None` if the old ones cannot be read.
    fn group(&self, group: u32, new: &[NewEvents], out: &mut Vec<u8>, written: &mut Vec<Written>) -> Option<()> {
        let Some(old) = self.old else {
            return self.divide(group, &[], new, out, written);
        };
        let (file, groups): (&[u8], _) = (old.container.file(), old.container.rows());
        let buckets = groups.buckets_in(group);
        let (start, first) = (out.len(), written.len());
        if buckets > 0 && !self.shortens() {
            let bits = GROUP_BITS - buckets.trailing_zeros();
            let mut rest = new;
            for index in 0..buckets {
                let span = Span { first: group << GROUP_BITS | index << bits, bits };
                let here = rest.iter().take_while(|new| new.row_id >> bits == span.first >> bits).count();
                let (here, after) = rest.split_at(here);
                rest = after;
                let bytes = groups.bytes_in(file, group, index)?;
                let from = out.len();
                let count = if here.is_empty() {
                    out.extend_from_slice(bytes);
                    bucket::count(bytes)?
                } else {
                    let merged = self.merge(&[Bucket::decode(span, bytes.to_vec())?], here)?;
                    let rows = rows(&merged);
                    if rows.len() > MOST_ADDED {
                        out.truncate(start);
                        written.truncate(first);
                        return self.divide(group, &rows_of(old, group)?, new, out, written);
                    }
                    bucket::encode(span, &rows, out);
                    rows.len() as u8
                };
                written.push(((out.len() - from) as u32, count));
            }
            return Some(());
        }
        self.divide(group, &rows_of(old, group)?, new, out, written)
    }

    /// Appends the buckets of a group that is divided anew.
    fn divide(
        &self,
        group: u32,
        old: &[Bucket],
        new: &[NewEvents],
        out: &mut Vec<u8>,
        written: &mut Vec<Written>,
    ) -> Option<()> {
        groups::encode(group, &rows(&self.merge(old, new)?), out, written);
        Some(())
    }

    /// The records of the taxpayers in these buckets and of those with new changes, by row id.
    fn merge(&self, old: &[Bucket], new: &[NewEvents]) -> Option<Records> {
        let (shortens, first, last) = (self.shortens(), self.facts.first(), self.last_kept());
        merge(old, new.iter().map(|events| (events.row_id, events)), |record, new| {
            let mut kept = Cow::Borrowed(record);
            if shortens {
                let mut shortened = Vec::new();
                let keep = |number| (first + 1..=last).contains(&u64::from(number));
                self.codec.copy(record, keep, None, &mut shortened)?;
                kept = Cow::Owned(shortened);
            }
            new.map_or_else(|| Some(kept.to_vec()), |events| events.record(&kept))
        })
    }
}

/// The new changes of one taxpayer, with the numbers of their editions, the newest last.
struct NewEvents {
    row_id: u32,
    events: Vec<(u32, Stored)>,
}

impl NewEvents {
    /// The record with these changes, followed by the changes of the record `old`.
    fn record(&self, mut old: &[u8]) -> Option<Vec<u8>> {
        let (mut out, mut last) = (Vec::with_capacity(old.len() + 16), None);
        for (number, (kind, bytes)) in self.events.iter().rev() {
            push_head(*number, *kind, last, &mut out);
            out.extend_from_slice(bytes);
            last = Some(*number);
        }
        if !old.is_empty() {
            let (number, kind) = head(&mut old, None)?;
            push_head(number, kind, last, &mut out);
            out.extend_from_slice(old);
        }
        Some(out)
    }
}

/// The changes of several lists by rising row id, for each taxpayer in the order of the lists.
struct Added {
    lists: Vec<AddedList>,
    /// Row id and list of the next change of each list.
    next: BinaryHeap<Reverse<(u32, usize)>>,
}

struct AddedList {
    changes: Changes,
    next: Option<Change>,
    /// The place in a row of each field of the list.
    places: Vec<Option<usize>>,
    list: u64,
}

impl Added {
    fn open(extension: &Extension<'_>) -> Result<Self, HistoryError> {
        let editions = extension.facts.editions.iter().skip(extension.kept.max(1));
        let mut added = Self { lists: Vec::new(), next: BinaryHeap::new() };
        for (nth, (list, edition)) in extension.lists.iter().zip(editions).enumerate() {
            let number = edition.number;
            let place = |field: &String| extension.facts.fields.iter().position(|own| own == field);
            let places = list.facts().fields.iter().map(place).collect();
            let changes = list.changes().map_err(|source| HistoryError::List { number, source })?;
            let mut list = AddedList { changes, next: None, places, list: number };
            if let Some(row_id) = list.advance()? {
                added.next.push(Reverse((row_id, nth)));
            }
            added.lists.push(list);
        }
        Ok(added)
    }

    /// The changes of a group's taxpayers.
    fn group(
        &mut self,
        extension: &Extension<'_>,
        group: u32,
        words: &mut Vocabulary,
    ) -> Result<Vec<NewEvents>, HistoryError> {
        let mut found: Vec<NewEvents> = Vec::new();
        while let Some(mut next) = self.next.peek_mut() {
            let Reverse((row_id, nth)) = *next;
            let Some(list) = self.lists.get_mut(nth).filter(|_| row_id >> GROUP_BITS <= group) else { break };
            let change = list.next.take();
            match list.advance()? {
                // The row ids of a list rise, or it is damaged.
                Some(after) if after <= row_id => return Err(HistoryError::Damaged),
                Some(after) => *next = Reverse((after, nth)),
                None => drop(PeekMut::pop(next)),
            }
            let stored = match &change {
                Some(change) => extension.codec.encode(&change.kind, &list.places, words)?,
                None => None,
            };
            let Some(stored) = stored else { continue };
            // Numbers are smaller than `MAX_NUMBER`.
            let event = (list.list as u32, stored);
            match found.last_mut().filter(|last| last.row_id == row_id) {
                Some(last) => last.events.push(event),
                None => found.push(NewEvents { row_id, events: vec![event] }),
            }
        }
        Ok(found)
    }
}

impl AddedList {
    /// Reads the next change, and returns its row id.
    fn advance(&mut self) -> Result<Option<u32>, HistoryError> {
        let number = self.list;
        self.next = self.changes.next().transpose().map_err(|source| HistoryError::List { number, source })?;
        Ok(self.next.as_ref().map(|change| row_id_of(change.ruc)))
    }
}

fn rows_of(old: &History, group: u32) -> Option<Vec<Bucket>> {
    old.container.rows().group_buckets(old.container.file(), group).ok()
}
