//! The result of an import.

use std::path::PathBuf;

use kuraka_domain::Date;

use crate::changes::{AdoptListsError, RecordedList};
use crate::dataset::Dataset;
use crate::history::HistoryError;
use crate::reader::Report;
use crate::{GuardError, Meta};

#[derive(Debug)]
pub struct ImportReport {
    pub dataset: &'static Dataset,
    /// Whether there is a new edition.
    pub outcome: PublishResult,
    pub adopted: bool,
    /// Whether the file was fetched over http for want of TLS; set by the downloader.
    pub without_tls: bool,
    pub label: String,
    pub date: Date,
    pub date_origin: DateOrigin,
    /// A date of the file or its server that was not used, because it is later than today or long past.
    pub implausible_date: Option<Date>,
    pub rows: u64,
    pub rucs: u64,
    /// Rows left out as repetitions; in a dataset with one row a taxpayer also those with other values.
    pub repeated: u64,
    /// Rows of taxpayers that are not kept, and known noise.
    pub left_out: u64,
    /// What was read of the published file; empty for an adopted edition.
    pub read: Report,
    pub rejects_file: Option<PathBuf>,
    pub forced: Vec<GuardError>,
    /// 0 if unchanged.
    pub index_bytes: u64,
    pub previous: Option<String>,
    /// `None` = there was no previous edition, or nothing was published.
    pub changes: Option<RecordedList>,
    /// Why a change list of the builder is not used.
    pub lists_error: Option<AdoptListsError>,
    /// Why the history lacks the edition; a publication or [`update_records`](crate::update_records) completes it.
    pub history_error: Option<HistoryError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublishResult {
    Published,
    /// The file is the current edition's, or the fallback's, which is current now.
    Unchanged,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrigin {
    Request,
    /// The server that has the file.
    Server,
    /// The month of most rows.
    Rows,
    ZipEntry,
    Edition,
    /// The day of the import: nothing has a plausible date.
    Today,
}

impl ImportReport {
    pub fn rejected_lines(&self) -> u64 {
        self.read.bad_lines.total()
    }

    /// Before anything is published.
    pub(super) fn from_file(
        dataset: &'static Dataset,
        label: String,
        date: Date,
        origin: DateOrigin,
        read: Report,
    ) -> Self {
        Self {
            dataset,
            outcome: PublishResult::Unchanged,
            adopted: false,
            without_tls: false,
            label,
            date,
            date_origin: origin,
            implausible_date: None,
            rows: 0,
            rucs: 0,
            repeated: 0,
            left_out: read.left_out,
            read,
            rejects_file: None,
            forced: Vec::new(),
            index_bytes: 0,
            previous: None,
            changes: None,
            lists_error: None,
            history_error: None,
        }
    }

    /// Before it is published.
    pub(super) fn from_edition(dataset: &'static Dataset, meta: &Meta) -> Self {
        let file = Self::from_file(dataset, meta.label.clone(), meta.date, DateOrigin::Edition, Report::default());
        Self { adopted: true, ..file }.with_counts(meta)
    }

    pub(super) fn with_counts(self, meta: &Meta) -> Self {
        let Meta { label, date, rows, rucs, repeated, left_out, .. } = meta.clone();
        Self { label, date, rows, rucs, repeated, left_out, ..self }
    }
}
