//! Reads the companies of one month from a published file or an edition.

use std::collections::HashMap;
use std::path::Path;

use kuraka_domain::Ruc;

use super::file::SEPARATOR;
use super::month::Month;
use crate::Edition;
use crate::checksum::hex;
use crate::dataset::{OPEN_DATA_MONTH, Value};
use crate::format::CorruptRowError;
use crate::progress::Progress;
use crate::reader::{ReadError, read};
use crate::row_id::row_id_of;

const FIELDS: [&str; 3] = ["estado", "condicion", "periodo"];

#[derive(Default)]
pub(super) struct MonthRows {
    /// Of the published file, as hex digits.
    pub(super) sha256: String,
    /// Distinct statuses and conditions.
    pub(super) texts: Vec<String>,
    places: HashMap<String, u32>,
    /// Row ids, rising once [sorted](MonthRows::sort), and places of texts.
    pub(super) rows: Vec<(u32, u32)>,
    pub(super) others: u64,
    pub(super) rejected: u64,
    pub(super) lines: u64,
    scratch: String,
}

impl MonthRows {
    fn push(&mut self, ruc: Ruc, status: &str, condition: &str) {
        self.scratch.clear();
        self.scratch.push_str(status);
        self.scratch.push(SEPARATOR);
        self.scratch.push_str(condition);
        let place = self.places.get(&self.scratch).copied().unwrap_or_else(|| {
            let place = self.texts.len() as u32;
            self.texts.push(self.scratch.clone());
            self.places.insert(self.scratch.clone(), place);
            place
        });
        self.rows.push((row_id_of(ruc), place));
    }

    /// Of a repeated company, the first row counts.
    fn sort(&mut self) {
        if !self.rows.is_sorted_by_key(|(row_id, _)| *row_id) {
            self.rows.sort_by_key(|(row_id, _)| *row_id);
        }
        self.rows.dedup_by_key(|(row_id, _)| *row_id);
    }

    pub(super) fn from_file(path: &Path, month: Month, progress: &dyn Progress) -> Result<Self, ReadError> {
        let (mut month_rows, wanted) = (Self::default(), Value::Date(month.first_day()));
        let report = read::<ReadError>(&OPEN_DATA_MONTH, path, progress, |ruc, values| {
            match values {
                [status, condition, month] if *month == wanted => month_rows.push(ruc, text(*status), text(*condition)),
                _ => month_rows.others += 1,
            }
            Ok(())
        })?;
        month_rows.sort();
        let rejected = report.bad_lines.total();
        Ok(Self { sha256: hex(report.sha256), rejected, lines: report.rows + rejected, ..month_rows })
    }

    /// The rows of the first row's month; `None` = no row has one.
    pub(super) fn from_edition(edition: &Edition) -> Result<Option<(Month, Self)>, CorruptRowError> {
        let places = FIELDS.map(|field| edition.dataset().field(field));
        let (mut found, mut wanted) = (Self::default(), None);
        for ruc in edition.rucs() {
            let ruc = ruc?;
            let rows = edition.rows(ruc)?;
            let Some(row) = rows.iter().next() else { continue };
            let [status, condition, month] =
                places.map(|place| place.and_then(|place| row.get(place)).copied().unwrap_or_default());
            let Value::Date(day) = month else { continue };
            if *wanted.get_or_insert(day) == day {
                found.push(ruc, text(status), text(condition));
            }
        }
        found.sha256.clone_from(&edition.meta().source.sha256);
        Ok(wanted.and_then(Month::from_date).map(|month| (month, found)))
    }
}

const fn text(value: Value<'_>) -> &str {
    if let Value::Text(text) = value { text } else { "" }
}
