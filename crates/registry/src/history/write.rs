//! Writes the file of a history, or of a record of months: the old file, group by group, with what is new merged into it.

use std::path::Path;

use serde::Serialize;

use super::error::HistoryError;
use crate::edition::Container;
use crate::folder::disk::Disk;
use crate::folder::{move_into_place, unfinished};
use crate::format::bucket::{Bucket, NewRow};
use crate::format::groups::GROUPS;
use crate::format::header::{Identity, META, Magic, WORDS};
use crate::index::{IndexError, IndexWriter, SortedRows, Vocabulary};

/// Sections of the file.
const SECTIONS: usize = 6;
/// Groups that are written together, and after which the pages that were read are given back.
const TOGETHER: u32 = 64;

/// Row ids and records, by row id.
pub(crate) type Records = Vec<(u32, Vec<u8>)>;

/// The words of an old file.
pub(crate) fn words_of(old: Option<&Container>) -> Result<Vocabulary, HistoryError> {
    let mut words = Vocabulary::new();
    let numbered = old.map(|old| old.dictionary().try_for_each(|word| words.number(word).map(drop)));
    numbered.transpose().map_err(IndexError::from)?;
    Ok(words)
}

/// Writes and syncs the file, and moves it to `path`. `group` adds the buckets of a group, and what it has of new words.
pub(crate) fn write(
    (disk, path): (&dyn Disk, &Path),
    old: Option<&Container>,
    mut words: Vocabulary,
    mut group: impl FnMut(u32, &mut Vocabulary, &mut SortedRows) -> Result<(), HistoryError>,
    (magic, sequence, identity): (Magic, u64, Identity),
    facts: &impl Serialize,
) -> Result<(), HistoryError> {
    let aside = unfinished(path);
    let mut write = || {
        let mut index = IndexWriter::create(disk, &aside, SECTIONS)?;
        for start in (0..GROUPS).step_by(TOGETHER as usize) {
            let mut sorted = SortedRows::default();
            for number in start..GROUPS.min(start + TOGETHER) {
                let before = sorted.buckets.len();
                group(number, &mut words, &mut sorted)?;
                sorted.groups.push((sorted.buckets.len() - before) as u32);
            }
            index.buckets(&sorted)?;
            old.iter().for_each(|old| old.file().forget_pages());
        }
        if old.is_some_and(Container::is_unreadable) {
            return Err(HistoryError::Damaged);
        }
        index.end_rows()?;
        index.section(WORDS, &words.encode())?;
        // A structure of texts and numbers always has a JSON form.
        index.section(META, &serde_json::to_vec(facts).unwrap_or_default())?;
        Ok(index.finish(magic, sequence, identity)?)
    };
    if let Err(error) = write() {
        // The next publication removes files that cannot be removed now.
        let _ = disk.remove(&aside);
        return Err(error);
    }
    Ok(move_into_place(disk, &aside, path)?)
}

/// The records of these buckets with what is new, which rises too. `record` makes a record of the old one, which may be
/// empty, and of what is new; an empty one is left out. `None` if one cannot be read.
pub(crate) fn merge<N>(
    old: &[Bucket],
    new: impl IntoIterator<Item = (u32, N)>,
    mut record: impl FnMut(&[u8], Option<N>) -> Option<Vec<u8>>,
) -> Option<Records> {
    let (mut merged, mut new) = (Records::new(), new.into_iter().peekable());
    let mut add = |row_id, old: &[u8], new| {
        let record = record(old, new)?;
        if !record.is_empty() {
            merged.push((row_id, record));
        }
        Some(())
    };
    for bucket in old {
        for place in 0..bucket.rows() {
            let (row_id, record) = (bucket.row_id(place)?, bucket.record(place)?);
            while let Some((before, new)) = new.next_if(|(new, _)| *new < row_id) {
                add(before, &[], Some(new))?;
            }
            add(row_id, record, new.next_if(|(new, _)| *new == row_id).map(|(_, new)| new))?;
        }
    }
    new.try_for_each(|(row_id, new)| add(row_id, &[], Some(new)))?;
    Some(merged)
}

/// The rows of these records.
pub(crate) fn rows(records: &Records) -> Vec<NewRow<'_>> {
    records.iter().map(|(row_id, record)| NewRow { row_id: *row_id, record }).collect()
}
