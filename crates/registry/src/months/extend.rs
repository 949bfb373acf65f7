//! Adds a month to the record: writes the file anew, with the month's rows merged into the old ones.

use std::path::Path;

use thiserror::Error;

use super::events::{decode, encode, set};
use super::file::{Facts, KnownMonth, MAGIC, Months};
use super::month::Month;
use super::read::MonthRows;
use crate::dataset::DATOS_ABIERTOS;
use crate::edition::summarise;
use crate::folder::Folder;
use crate::folder::disk::{Disk, SystemDisk};
use crate::format::groups::{self, GROUP_BITS};
use crate::history::{HistoryError, merge, rows, words_of, write};
use crate::index::{IndexError, SortedRows, Vocabulary};
use crate::progress::Progress;
use crate::reader::ReadError;
use crate::{Edition, Guard, Origin};

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
    /// The file is not plausible; the operator may force it.
    #[error("{0}")]
    Guard(Guard),
    /// The record cannot be read or written.
    #[error("the record of months is not extended")]
    Record(#[from] HistoryError),
}

/// Adds the companies of a month in the published file at `path` to the record of the registry in `registry`, or replaces
/// what it had of that month. Returns how many there are. Waits while another process publishes an edition. `force`
/// overrides the guards of an import, which compare the month with the known months next to it.
///
/// A crash at any moment leaves the record without the month or with it, complete.
///
/// # Errors
/// [`MonthError`].
pub fn add_file(
    registry: &Path,
    month: Month,
    path: &Path,
    force: bool,
    progress: &dyn Progress,
) -> Result<usize, MonthError> {
    let rows = MonthRows::of_file(path, month, progress)?;
    // A file of another month may have some rows of this one.
    if (rows.rows.len() as u64) <= rows.others {
        return Err(MonthError::OtherMonth { month, others: rows.others });
    }
    let (disk, folder) = (SystemDisk, Folder::of(registry, &DATOS_ABIERTOS));
    folder.create(&disk).map_err(HistoryError::from)?;
    let _lock = folder.wait_for_lock().map_err(HistoryError::from)?;
    let old = Months::find_file(&folder.months())?;
    if let Some(guard) = refusal(old.as_ref(), month, &rows).filter(|_| !force) {
        return Err(MonthError::Guard(guard));
    }
    add(&disk, &folder, Origin::Published, month, &rows, old)?;
    Ok(rows.rows.len())
}

/// The guard that refuses a month: too many lines are unreadable, or the known month before or after it has far more
/// companies.
fn refusal(old: Option<&Months>, month: Month, new: &MonthRows) -> Option<Guard> {
    let limits = DATOS_ABIERTOS.guards;
    let known = old.filter(|old| old.facts.origin == Origin::Published).map_or(&[][..], |old| &old.facts.months);
    let before = known.iter().rfind(|known| known.month < month);
    let near = before.into_iter().chain(known.iter().find(|known| known.month > month));
    let day = |month: Month| month.first_day().days_since_epoch();
    let few = |near: &KnownMonth| {
        Guard::of_rows(limits.after((day(near.month) - day(month)).abs()), new.rows.len() as u64, near.companies)
    };
    Guard::of_lines(limits, new.rejected, new.lines).or_else(|| near.filter_map(few).next())
}

/// Adds the month of the open data's current edition if the record lacks it, under the folder's lock. Other datasets have
/// no months.
///
/// # Errors
/// [`HistoryError`]; the record stays as it was.
pub(crate) fn update(disk: &dyn Disk, folder: &Folder) -> Result<(), HistoryError> {
    let has_months = folder.dataset().has_months();
    let Some(path) = folder.current()?.filter(|_| has_months) else { return Ok(()) };
    let sha256 = summarise(&DATOS_ABIERTOS, &path)?.meta.source.sha256;
    match Months::find_file(&folder.months())? {
        Some(months) if months.has_file(&sha256) => Ok(()),
        _ => add_edition(disk, folder, &Edition::open(&DATOS_ABIERTOS, &path)?),
    }
}

/// Adds the month of an edition that is published, unless it has it. Call it under the folder's lock.
pub(crate) fn add_edition(disk: &dyn Disk, folder: &Folder, edition: &Edition) -> Result<(), HistoryError> {
    let damaged = |_| HistoryError::Damaged;
    let Some((month, rows)) = MonthRows::of_edition(edition).map_err(damaged)? else { return Ok(()) };
    add(disk, folder, edition.meta().origin, month, &rows, Months::find_file(&folder.months())?)
}

fn add(
    disk: &dyn Disk,
    folder: &Folder,
    origin: Origin,
    month: Month,
    new: &MonthRows,
    old: Option<Months>,
) -> Result<(), HistoryError> {
    let path = folder.months();
    // The sample and published months have nothing in common, and nothing else has the published ones.
    if origin == Origin::Sample && old.as_ref().is_some_and(|old| old.facts.origin == Origin::Published) {
        return Ok(());
    }
    let old = old.filter(|old| old.facts.origin == origin);
    let known = KnownMonth { month, sha256: new.sha256.clone(), companies: new.rows.len() as u64 };
    let mut facts = old.as_ref().map_or(Facts { origin, months: Vec::new() }, |old| old.facts.clone());
    if facts.months.contains(&known) {
        return Ok(());
    }
    facts.months.retain(|known| known.month != month);
    let place = facts.months.partition_point(|known| known.month < month);
    facts.months.insert(place, known);
    let next = facts.months.get(place + 1).map(|next| next.month.0);
    let old = old.as_ref().map(|old| &old.container);
    let mut words = words_of(old)?;
    let values = new.texts.iter().map(|text| Ok(words.number(text.as_bytes())?.saturating_add(1)));
    let values: Vec<u32> = values.collect::<Result<_, IndexError>>()?;
    let mut rest = new.rows.as_slice();
    let group = |group, _: &mut Vocabulary, sorted: &mut SortedRows| {
        let (here, after) = rest.split_at(rest.partition_point(|(row_id, _)| row_id >> GROUP_BITS <= group));
        rest = after;
        let old = old.map(|old| old.rows().group_buckets(old.file(), group)).transpose();
        let old = old.map_err(|_| HistoryError::Damaged)?.unwrap_or_default();
        let merged = merge(&old, here.iter().copied(), |record, text| {
            let mut events = decode(record)?;
            let value = text.and_then(|text| values.get(text as usize)).copied().unwrap_or_default();
            set(&mut events, month.0, next, value);
            Some(encode(&events))
        });
        groups::encode(group, &rows(&merged.ok_or(HistoryError::Damaged)?), &mut sorted.bytes, &mut sorted.buckets);
        Ok(())
    };
    let header = (MAGIC, facts.months.len() as u64, Default::default());
    write((disk, &path), old, words, group, header, &facts)
}
