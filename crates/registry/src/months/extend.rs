//! Adds or removes a month: rewrites the file with the rows merged in.

use std::collections::HashMap;
use std::path::Path;

use kuraka_domain::EditionOrigin;
use thiserror::Error;

use super::events::{decode, encode, set};
use super::file::{Facts, KIND, KnownMonth, Months};
use super::month::Month;
use super::read::MonthRows;
use crate::block_file;
use crate::dataset::DATOS_ABIERTOS;
use crate::edition::summarise;
use crate::folder::disk::{Disk, SystemDisk};
use crate::folder::{Folder, RolledBack, doing};
use crate::history::HistoryError;
use crate::progress::Progress;
use crate::reader::ReadError;
use crate::{Edition, GuardError};

#[derive(Debug, Error)]
pub enum MonthError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the file is not of {month}: {others} of its companies are in other months")]
    OtherMonth {
        month: Month,
        /// Companies in other months.
        others: u64,
    },
    #[error("{0}")]
    Guard(GuardError),
    #[error("the monthly history is not extended")]
    Record(#[from] HistoryError),
}

/// Adds the companies of a month in the published file at `path`, or replaces what the monthly history had of it.
/// Returns how many there are. Waits while another process publishes. `force` overrides the guards, which compare the
/// month with the known months next to it.
///
/// A crash at any moment leaves the file without the month or with it, complete.
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
    let rows = MonthRows::from_file(path, month, progress)?;
    // A file of another month may have some rows of this one.
    if (rows.rows.len() as u64) <= rows.others {
        return Err(MonthError::OtherMonth { month, others: rows.others });
    }
    let (disk, folder) = (SystemDisk, Folder::new(registry, &DATOS_ABIERTOS));
    folder.create(&disk).map_err(HistoryError::from)?;
    let _lock = folder.wait_for_lock().map_err(HistoryError::from)?;
    let old = Months::find_file(&folder.months())?;
    let marks = folder.rolled_back().map_err(HistoryError::from)?;
    let mark = marks.into_iter().find(|mark| mark.sha256 == rows.sha256);
    let guard = mark.map(|mark| GuardError::RolledBack { label: mark.label });
    if let Some(guard) = guard.or_else(|| refusal(old.as_ref(), month, &rows)).filter(|_| !force) {
        return Err(MonthError::Guard(guard));
    }
    add(&disk, &folder, EditionOrigin::Published, month, &rows, old)?;
    Ok(rows.rows.len())
}

/// The guard that refuses a month: too many lines are unreadable, or a known month next to it has far more companies.
fn refusal(old: Option<&Months>, month: Month, new: &MonthRows) -> Option<GuardError> {
    let limits = DATOS_ABIERTOS.guards;
    let known = old.filter(|old| old.facts.origin == EditionOrigin::Published).map_or(&[][..], |old| &old.facts.months);
    let before = known.iter().rfind(|known| known.month < month);
    let near = before.into_iter().chain(known.iter().find(|known| known.month > month));
    let day = |month: Month| month.first_day().days_since_epoch();
    let few = |near: &KnownMonth| {
        limits.after((day(near.month) - day(month)).abs()).check_rows(new.rows.len() as u64, near.companies)
    };
    limits.check_lines(new.rejected, new.lines).or_else(|| near.filter_map(few).next())
}

/// Adds the month of the open data's current edition if it is missing, under the folder's lock. Other datasets have no
/// months. After an error the file stays as it was.
pub(crate) fn update(disk: &dyn Disk, folder: &Folder) -> Result<(), HistoryError> {
    let has_months = folder.dataset().has_months();
    let Some(path) = folder.current()?.filter(|_| has_months) else { return Ok(()) };
    let sha256 = summarise(&DATOS_ABIERTOS, &path)?.meta.source.sha256;
    match Months::find_file(&folder.months())? {
        Some(months) if months.has_file(&sha256) => Ok(()),
        _ => add_edition(disk, folder, &Edition::open(&DATOS_ABIERTOS, &path)?, None),
    }
}

/// Adds a published edition's month, if it is missing, and removes the month of another file that a rollback left, under
/// the folder's lock. Other datasets have no months.
pub(crate) fn add_edition(
    disk: &dyn Disk,
    folder: &Folder,
    edition: &Edition,
    left: Option<&RolledBack>,
) -> Result<(), HistoryError> {
    if !folder.dataset().has_months() {
        return Ok(());
    }
    if let Some((month, rows)) = MonthRows::from_edition(edition)? {
        add(disk, folder, edition.meta().origin, month, &rows, Months::find_file(&folder.months())?)?;
    }
    match left.filter(|left| left.sha256 != edition.meta().source.sha256) {
        Some(left) => remove(disk, folder, &left.sha256),
        None => Ok(()),
    }
}

fn add(
    disk: &dyn Disk,
    folder: &Folder,
    origin: EditionOrigin,
    month: Month,
    new: &MonthRows,
    old: Option<Months>,
) -> Result<(), HistoryError> {
    // Nothing else has the published months.
    if origin == EditionOrigin::Sample && old.as_ref().is_some_and(|old| old.facts.origin == EditionOrigin::Published) {
        return Ok(());
    }
    let old = old.filter(|old| old.facts.origin == origin);
    let known = KnownMonth { month, sha256: new.sha256.clone(), companies: new.rows.len() as u64 };
    let new_facts = Facts { origin, months: Vec::new(), texts: Vec::new() };
    let mut facts = old.as_ref().map_or(new_facts, |old| old.facts.clone());
    if facts.months.contains(&known) {
        return Ok(());
    }
    facts.months.retain(|known| known.month != month);
    let place = facts.months.partition_point(|known| known.month < month);
    facts.months.insert(place, known);
    let mut values: HashMap<String, u32> = facts.texts.iter().cloned().zip(1..).collect();
    let mut value = |text: &String| {
        *values.entry(text.clone()).or_insert_with(|| {
            facts.texts.push(text.clone());
            facts.texts.len() as u32
        })
    };
    let values: Vec<u32> = new.texts.iter().map(&mut value).collect();
    let value = |text: Option<u32>| text.and_then(|text| values.get(text as usize)).copied().or(Some(0));
    write(disk, folder, facts, old.as_ref(), (month, &new.rows), value)
}

/// Removes the month of this file. Without a month there is no file.
fn remove(disk: &dyn Disk, folder: &Folder, sha256: &str) -> Result<(), HistoryError> {
    let Some(old) = Months::find_file(&folder.months())? else { return Ok(()) };
    let mut facts = old.facts.clone();
    let Some(place) = facts.months.iter().position(|known| known.sha256 == sha256) else { return Ok(()) };
    let KnownMonth { month, .. } = facts.months.remove(place);
    if facts.months.is_empty() {
        let path = folder.months();
        return Ok(doing("removing", &path, disk.remove(&path))?);
    }
    write(disk, folder, facts, Some(&old), (month, &[]), |_| None)
}

/// Writes the file with another value of each company in this month; `None` = as in the known month before it.
fn write(
    disk: &dyn Disk,
    folder: &Folder,
    facts: Facts,
    old: Option<&Months>,
    (month, rows): (Month, &[(u32, u32)]),
    value: impl Fn(Option<u32>) -> Option<u32>,
) -> Result<(), HistoryError> {
    let next = facts.months.iter().find(|known| known.month > month).map(|next| next.month.0);
    let rows = rows.iter().map(|&(row_id, text)| Ok::<_, HistoryError>((row_id, text)));
    block_file::write(disk, &folder.months(), KIND, |writer| {
        writer.merge(old.map(|old| &old.file), rows, |known, text, out| {
            let mut events = decode(known)?;
            set(&mut events, month.0, next, value(text));
            encode(&events, out);
            Some(())
        })?;
        Ok(facts)
    })
    .map(drop)
}
