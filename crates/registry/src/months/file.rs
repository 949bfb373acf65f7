//! One open record of months: verified once as a whole, then used for lookups beside calls.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use kuraka_domain::Ruc;
use serde::{Deserialize, Serialize};

use super::events::decode;
use super::month::Month;
use crate::Origin;
use crate::dataset::DATOS_ABIERTOS;
use crate::edition::Container;
use crate::folder::Folder;
use crate::format::header::{META, Magic};
use crate::format::{CorruptRow, EditionError};
use crate::history::HistoryError;
use crate::row_id::row_id_of;

/// The first eight bytes.
pub(super) const MAGIC: Magic = *b"\x89KURMES\n";
/// Memory that an open file takes at most, in tenths of its length. A young one is little but sections that find rows.
const MEMORY: usize = 40;
/// Bytes of the longest facts that are read: months of centuries.
const LONGEST_FACTS: usize = 1 << 20;
/// Stands between status and condition in a text; no published text has it.
pub(super) const SEPARATOR: char = '\t';

/// A file with the months of the companies, which was verified and is mapped into memory.
pub struct Months {
    pub(crate) container: Container,
    pub(super) facts: Facts,
}

/// The `meta` section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Facts {
    pub(super) origin: Origin,
    /// The months that were read, the oldest first.
    pub(super) months: Vec<KnownMonth>,
}

/// A month that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KnownMonth {
    pub(super) month: Month,
    /// SHA-256 of the published file, as hex digits.
    pub(super) sha256: String,
    /// Companies in it.
    pub(super) companies: u64,
}

/// Status and condition as published; `None` = the month's file does not have the company.
pub type MonthState<'m> = Option<(&'m str, &'m str)>;

impl Months {
    /// Opens and verifies the file of the registry in `registry`, reading all of it.
    ///
    /// # Errors
    /// [`EditionError`]; a file that was cut, grown or changed by a single bit is refused. [`EditionError::Io`] if there
    /// is none.
    pub fn open(registry: &Path) -> Result<Self, EditionError> {
        Self::open_file(&Self::path(registry))
    }

    /// As [`Months::open`]; `None` = there is no file.
    ///
    /// # Errors
    /// [`HistoryError`]. Nothing else has the months that are not published any more, so a file that cannot be
    /// read stays as it is until an operator removes it.
    pub fn find(registry: &Path) -> Result<Option<Self>, HistoryError> {
        Self::find_file(&Self::path(registry))
    }

    pub(super) fn find_file(path: &Path) -> Result<Option<Self>, HistoryError> {
        match Self::open_file(path) {
            Ok(months) => Ok(Some(months)),
            Err(EditionError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            // The file may be whole: the disk failed, or a newer program wrote it.
            Err(error @ (EditionError::Io(_) | EditionError::Version { .. })) => Err(error.into()),
            Err(source) => Err(HistoryError::Months { path: path.to_owned(), source }),
        }
    }

    pub(super) fn open_file(path: &Path) -> Result<Self, EditionError> {
        let facts = |container: &Container| container.section(META, read_facts);
        let (container, facts) = Container::open((MAGIC, MEMORY), path, facts)?;
        Ok(Self { container, facts })
    }

    /// The path of the file in the registry in `registry`, whether it exists or not.
    #[must_use]
    pub fn path(registry: &Path) -> PathBuf {
        Folder::of(registry, &DATOS_ABIERTOS).months()
    }

    /// The months that were read, the oldest first; one at least.
    pub fn months(&self) -> impl Iterator<Item = Month> + Clone {
        self.facts.months.iter().map(|known| known.month)
    }

    /// Whether it has a month of the published file with this SHA-256, in hex digits.
    #[must_use]
    pub fn has_file(&self, sha256: &str) -> bool {
        self.facts.months.iter().any(|known| known.sha256 == sha256)
    }

    /// Whether the months are of the sample, or published.
    #[must_use]
    pub const fn origin(&self) -> Origin {
        self.facts.origin
    }

    /// Whether reading the file has failed since it was opened. From then on every lookup is an error.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.container.is_unreadable()
    }

    /// The first month that was read, and each in which the company differs from the known month before; the oldest
    /// first.
    ///
    /// # Errors
    /// [`CorruptRow`] if bytes of the file have changed since it was opened.
    pub fn of(&self, ruc: Ruc) -> Result<Vec<(Month, MonthState<'_>)>, CorruptRow> {
        let row_id = row_id_of(ruc);
        let mut states = Vec::new();
        if let Some((bucket, row)) = self.container.find(row_id)? {
            let events = bucket.record(row).and_then(decode).ok_or_else(|| CorruptRow::near(row_id))?;
            for (month, value) in events {
                let state = self.state(value).ok_or_else(|| CorruptRow::near(row_id))?;
                states.push((Month(month), state));
            }
        }
        if let Some(first) = self.months().next()
            && states.first().is_none_or(|(month, _)| *month > first)
        {
            states.insert(0, (first, None));
        }
        Ok(states)
    }

    /// What a value stands for; the outer `None` = nothing.
    fn state(&self, value: u32) -> Option<MonthState<'_>> {
        let Some(number) = value.checked_sub(1) else { return Some(None) };
        let text = std::str::from_utf8(self.container.words().word(number)?).ok()?;
        text.split_once(SEPARATOR).map(Some)
    }
}

fn read_facts(section: &[u8]) -> Option<Facts> {
    (section.len() <= LONGEST_FACTS).then_some(())?;
    let facts: Facts = serde_json::from_slice(section).ok()?;
    let rises = facts.months.is_sorted_by(|a, b| a.month < b.month);
    (rises && !facts.months.is_empty()).then_some(facts)
}

impl fmt::Debug for Months {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Months").field("facts", &self.facts).finish_non_exhaustive()
    }
}
