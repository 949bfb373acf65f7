//! Adds a month to the record: writes the file anew, with the month's rows merged into the old ones.

use std::io;
use std::path::Path;

use thiserror::Error;

use super::events::{Event, decode, encode, set};
use super::file::{Facts, KnownMonth, MAGIC, Months};
use super::month::Month;
use super::read::MonthRows;
use crate::dataset::DATOS_ABIERTOS;
use crate::edition::summarise;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{Folder, move_into_place, unfinished};
use crate::format::EditionError;
use crate::format::bucket::NewRow;
use crate::format::groups::{self, GROUP_BITS, GROUPS};
use crate::format::header::{META, WORDS};
use crate::history::HistoryError;
use crate::index::{IndexError, IndexWriter, SortedRows, Vocabulary};
use crate::progress::Progress;
use crate::reader::ReadError;
use crate::{Edition, Origin};

/// Sections of the file.
const SECTIONS: usize = 6;
/// Groups that are written together, and after which the pages that were read are given back.
const TOGETHER: u32 = 64;

/// Why a month is not added. The record stays as it was.
#[derive(Debug, Error)]
pub enum MonthError {
    /// The file is damaged, or not the open data's.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// No row is of the month.
    #[error("the file is not of {month}: {others} of its companies are in other months")]
    OtherMonth {
        /// The month.
        month: Month,
        /// Companies in other months.
        others: u64,
    },
    /// The record cannot be read or written.
    #[error("the record of months is not extended")]
    Record(#[from] HistoryError),
}

/// Adds the companies of a month in the published file at `path` to the record of the registry in `registry`, or replaces
/// what it had of that month. Returns how many there are. Waits while another process publishes an edition.
///
/// A crash at any moment leaves the record without the month or with it, complete.
///
/// # Errors
/// [`MonthError`].
pub fn add_file(registry: &Path, month: Month, path: &Path, progress: &dyn Progress) -> Result<usize, MonthError> {
    let rows = MonthRows::of_file(path, month, progress)?;
    // A file of another month may have some rows of this one.
    if (rows.rows.len() as u64) <= rows.others {
        return Err(MonthError::OtherMonth { month, others: rows.others });
    }
    let (disk, folder) = (SystemDisk, Folder::of(registry, &DATOS_ABIERTOS));
    folder.create(&disk).map_err(HistoryError::from)?;
    let _lock = folder.wait_for_lock().map_err(HistoryError::from)?;
    add(&disk, &folder, Origin::Published, month, &rows)?;
    Ok(rows.rows.len())
}

/// Adds the month of the open data's current edition in the registry in `registry` if the record lacks it, unless another
/// process publishes an edition: that process does it.
///
/// # Errors
/// [`HistoryError`]; the record stays as it was.
pub fn update(registry: &Path) -> Result<(), HistoryError> {
    let folder = Folder::of(registry, &DATOS_ABIERTOS);
    if folder.current()?.is_none() {
        return Ok(());
    }
    let Some(_lock) = folder.lock()? else { return Ok(()) };
    update_locked(&SystemDisk, &folder)
}

/// As [`update`], under the lock of a dataset's folder. Other datasets have no months.
pub(crate) fn update_locked(disk: &dyn Disk, folder: &Folder) -> Result<(), HistoryError> {
    let is_open_data = folder.dataset().name == DATOS_ABIERTOS.name;
    let Some(path) = folder.current()?.filter(|_| is_open_data) else { return Ok(()) };
    let sha256 = summarise(&DATOS_ABIERTOS, &path)?.meta.source.sha256;
    match Months::open_file(&folder.months()) {
        Ok(months) if months.has_file(&sha256) => Ok(()),
        _ => add_edition(disk, folder, &Edition::open(&DATOS_ABIERTOS, &path)?),
    }
}

/// Adds the month of an edition that is published, unless it has it. Call it under the folder's lock.
pub(crate) fn add_edition(disk: &dyn Disk, folder: &Folder, edition: &Edition) -> Result<(), HistoryError> {
    let damaged = |_| HistoryError::Damaged;
    let Some((month, rows)) = MonthRows::of_edition(edition).map_err(damaged)? else { return Ok(()) };
    add(disk, folder, edition.meta().origin, month, &rows)
}

fn add(disk: &dyn Disk, folder: &Folder, origin: Origin, month: Month, new: &MonthRows) -> Result<(), HistoryError> {
    let path = folder.months();
    let old = match Months::open_file(&path) {
        Ok(old) => Some(old),
        Err(EditionError::Io(error)) if error.kind() != io::ErrorKind::NotFound => {
            return Err(EditionError::Io(error).into());
        }
        // A newer program's record is not replaced by one of a single month.
        Err(error @ EditionError::Version { .. }) => return Err(error.into()),
        // A damaged file is made anew from the months that are still published.
        Err(_) => None,
    };
    // The sample and published months have nothing in common.
    let old = old.filter(|old| old.facts.origin == origin);
    let known = KnownMonth { month, sha256: new.sha256.clone() };
    let mut facts = old.as_ref().map_or(Facts { origin, months: Vec::new() }, |old| old.facts.clone());
    if facts.months.contains(&known) {
        return Ok(());
    }
    facts.months.retain(|known| known.month != month);
    let place = facts.months.partition_point(|known| known.month < month);
    facts.months.insert(place, known);
    let aside = unfinished(&path);
    let next = facts.months.get(place + 1).map(|next| next.month.0);
    let written = Extension { old: old.as_ref(), facts: &facts, month: month.0, next, new }.write(disk, &aside);
    if let Err(error) = written {
        // The next publication removes files that cannot be removed now.
        let _ = disk.remove(&aside);
        return Err(error);
    }
    Ok(move_into_place(disk, &aside, &path)?)
}

struct Extension<'a> {
    old: Option<&'a Months>,
    facts: &'a Facts,
    month: u32,
    /// The known month after it.
    next: Option<u32>,
    new: &'a MonthRows,
}

impl Extension<'_> {
    /// Writes and syncs the file at `path`.
    fn write(&self, disk: &dyn Disk, path: &Path) -> Result<(), HistoryError> {
        let mut index = IndexWriter::create(disk, path, SECTIONS)?;
        let mut words = Vocabulary::new();
        if let Some(old) = self.old {
            let numbered = old.container.dictionary().try_for_each(|word| words.number(word).map(drop));
            numbered.map_err(IndexError::from)?;
        }
        let values = self.new.texts.iter().map(|text| Ok(words.number(text.as_bytes())?.saturating_add(1)));
        let values: Vec<u32> = values.collect::<Result<_, IndexError>>()?;
        let mut new = self.new.rows.as_slice();
        for start in (0..GROUPS).step_by(TOGETHER as usize) {
            let mut sorted = SortedRows::default();
            for group in start..GROUPS.min(start + TOGETHER) {
                let (here, after) = new.split_at(new.partition_point(|(row_id, _)| row_id >> GROUP_BITS <= group));
                new = after;
                let merged = self.merge(group, here, &values).ok_or(HistoryError::Damaged)?;
                let rows: Vec<_> = merged.iter().map(|(row_id, record)| NewRow { row_id: *row_id, record }).collect();
                let before = sorted.buckets.len();
                groups::encode(group, &rows, &mut sorted.bytes, &mut sorted.buckets);
                sorted.groups.push((sorted.buckets.len() - before) as u32);
            }
            index.buckets(&sorted)?;
            if let Some(old) = self.old {
                old.container.file().forget_pages();
            }
        }
        if self.old.is_some_and(Months::is_unreadable) {
            return Err(HistoryError::Damaged);
        }
        index.end_rows()?;
        index.section(WORDS, &words.encode())?;
        // A structure of texts always has a JSON form.
        index.section(META, &serde_json::to_vec(self.facts).unwrap_or_default())?;
        index.finish(MAGIC, self.facts.months.len() as u64, Default::default())?;
        Ok(())
    }

    /// The records of a group's companies by row id; `None` if the old ones cannot be read.
    fn merge(&self, group: u32, new: &[(u32, u32)], values: &[u32]) -> Option<Vec<(u32, Vec<u8>)>> {
        let old = match self.old {
            Some(old) => old.container.rows().group_buckets(old.container.file(), group).ok()?,
            None => Vec::new(),
        };
        let mut merged = Vec::with_capacity(new.len());
        let mut new = new.iter().peekable();
        let mut push = |row_id, mut events: Vec<Event>, place: Option<u32>| {
            let value = place.and_then(|place| values.get(place as usize)).copied().unwrap_or_default();
            set(&mut events, self.month, self.next, value);
            if !events.is_empty() {
                merged.push((row_id, encode(&events)));
            }
        };
        for bucket in &old {
            for at in 0..bucket.rows() {
                let (row_id, record) = (bucket.row_id(at)?, bucket.record(at)?);
                while let Some((row_id, place)) = new.next_if(|(new, _)| *new < row_id) {
                    push(*row_id, Vec::new(), Some(*place));
                }
                let place = new.next_if(|(new, _)| *new == row_id).map(|(_, place)| *place);
                push(row_id, decode(record)?, place);
            }
        }
        new.for_each(|(row_id, place)| push(*row_id, Vec::new(), Some(*place)));
        Some(merged)
    }
}
