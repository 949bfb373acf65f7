//! An open monthly history.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use kuraka_domain::{EditionOrigin, Ruc};
use serde::{Deserialize, Serialize};

use super::events::decode;
use super::month::Month;
use crate::block_file::{BlockError, BlockFile, FileKind};
use crate::dataset::DATOS_ABIERTOS;
use crate::folder::Folder;
use crate::history::HistoryError;
use crate::row_id::row_id_of;

pub(super) const KIND: FileKind = FileKind { magic: *b"\x89KURMES\n", name: "monthly history" };
/// Between status and condition; no published text has it.
pub(super) const SEPARATOR: char = '\t';

#[derive(Debug)]
pub struct Months {
    pub(super) file: BlockFile,
    pub(super) facts: Facts,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Facts {
    pub(super) origin: EditionOrigin,
    /// The oldest first.
    pub(super) months: Vec<KnownMonth>,
    /// Status, tab, condition; rows have the places of these texts.
    pub(super) texts: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KnownMonth {
    pub(super) month: Month,
    /// Of the published file, as hex digits.
    pub(super) sha256: String,
    pub(super) companies: u64,
}

/// As published; `None` = the month's file lacks the company.
pub type MonthState<'m> = Option<(&'m str, &'m str)>;

impl Months {
    /// Opens and verifies the file, reading all of it.
    ///
    /// # Errors
    /// [`BlockError`]; a file that was cut, grown or changed by a single bit is refused. [`BlockError::File`] if there
    /// is none.
    pub fn open(registry: &Path) -> Result<Self, BlockError> {
        Self::open_file(&Self::path(registry))
    }

    /// As [`Months::open`]; `None` = there is no file.
    ///
    /// # Errors
    /// [`HistoryError`]. An unreadable file stays until an operator removes it: nothing else has the months that are no
    /// longer published.
    pub fn find(registry: &Path) -> Result<Option<Self>, HistoryError> {
        Self::find_file(&Self::path(registry))
    }

    pub(super) fn find_file(path: &Path) -> Result<Option<Self>, HistoryError> {
        match Self::open_file(path) {
            Ok(months) => Ok(Some(months)),
            Err(BlockError::File(error)) if error.source.kind() == ErrorKind::NotFound => Ok(None),
            // The file may be whole: the disk failed.
            Err(error @ BlockError::File(_)) => Err(error.into()),
            Err(source) => Err(HistoryError::Months { path: path.to_owned(), source }),
        }
    }

    fn open_file(path: &Path) -> Result<Self, BlockError> {
        let (file, facts): (BlockFile, Facts) = BlockFile::open(path, KIND)?;
        match facts.months.is_sorted_by(|a, b| a.month < b.month) && !facts.months.is_empty() {
            true => Ok(Self { file, facts }),
            false => Err(file.damaged("its months are impossible")),
        }
    }

    /// The path of the file, whether it exists or not.
    pub fn path(registry: &Path) -> PathBuf {
        Folder::new(registry, &DATOS_ABIERTOS).months()
    }

    /// The oldest first; at least one.
    pub fn months(&self) -> impl Iterator<Item = Month> + Clone {
        self.facts.months.iter().map(|known| known.month)
    }

    pub fn has_file(&self, sha256: &str) -> bool {
        self.facts.months.iter().any(|known| known.sha256 == sha256)
    }

    /// Whether the months are of the sample, or published.
    pub const fn origin(&self) -> EditionOrigin {
        self.facts.origin
    }

    /// The first month, and each in which the company differs from the previous known month; oldest first.
    ///
    /// # Errors
    /// [`BlockError`] if bytes of the file have changed since it was opened.
    pub fn states(&self, ruc: Ruc) -> Result<Vec<(Month, MonthState<'_>)>, BlockError> {
        let row = self.file.get(row_id_of(ruc))?.unwrap_or_default();
        let state = |(month, value)| Some((Month(month), self.state(value)?));
        let states = decode(&row).and_then(|events| events.into_iter().map(state).collect());
        let mut states: Vec<_> = states.ok_or_else(|| self.file.damaged("a row cannot be read"))?;
        if let Some(first) = self.months().next()
            && states.first().is_none_or(|(month, _)| *month > first)
        {
            states.insert(0, (first, None));
        }
        Ok(states)
    }

    /// The state of a value; the outer `None` = it has none.
    fn state(&self, value: u32) -> Option<MonthState<'_>> {
        let Some(place) = value.checked_sub(1) else { return Some(None) };
        self.facts.texts.get(place as usize)?.split_once(SEPARATOR).map(Some)
    }
}
