//! The result of an import of a dataset.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kuraka_domain::Date;

use crate::changes::Recorded;
use crate::dataset::Encoding;
use crate::{DateOrigin, Guard, PublishResult};

/// The result of a successful import of a dataset.
#[derive(Clone, Debug)]
pub struct DatasetReport {
    /// The dataset's name.
    pub dataset: &'static str,
    /// Whether there is a new edition.
    pub outcome: PublishResult,
    /// Whether the file was a finished edition.
    pub adopted: bool,
    /// The edition's label.
    pub label: String,
    /// The edition's date.
    pub date: Date,
    /// The origin of the date.
    pub date_origin: DateOrigin,
    /// Rows in the edition.
    pub rows: u64,
    /// Taxpayers that have them.
    pub rucs: u64,
    /// Repeated rows that were left out; in a dataset with one row a taxpayer also those with other values.
    pub repeated: u64,
    /// Rows of taxpayers that are not kept, and known noise.
    pub left_out: u64,
    /// Refused lines by reason.
    pub rejected: BTreeMap<&'static str, u64>,
    /// The file with the first refused lines, if there are any.
    pub rejects_file: Option<PathBuf>,
    /// Unreadable values that were taken as missing, by field.
    pub unread_values: BTreeMap<&'static str, u64>,
    /// Values that their field's table lacks, by field. They are kept as text.
    pub unlisted_values: BTreeMap<&'static str, u64>,
    /// The first different ones of them.
    pub unlisted_wordings: Vec<String>,
    /// Columns of the file that are not read because they are unknown.
    pub unknown_columns: Vec<String>,
    /// The text's encoding, if it has characters that show it.
    pub encoding: Option<Encoding>,
    /// Guards that refused and were overridden.
    pub forced: Vec<Guard>,
    /// Bytes of the text; 0 for an adopted edition.
    pub text_bytes: u64,
    /// Bytes of the edition's file; 0 if unchanged.
    pub index_bytes: u64,
    /// Label of the edition that was current before.
    pub previous: Option<String>,
    /// The recorded changes since that edition; `None` = there was none before, or nothing was published.
    pub changes: Option<Recorded>,
}

impl DatasetReport {
    /// All refused lines.
    #[must_use]
    pub fn rejected_lines(&self) -> u64 {
        self.rejected.values().sum()
    }

    /// The report of an edition without a text that was read.
    pub(super) fn of_edition(dataset: &'static str, label: String, date: Date) -> Self {
        Self {
            dataset,
            outcome: PublishResult::Unchanged,
            adopted: false,
            label,
            date,
            date_origin: DateOrigin::Edition,
            rows: 0,
            rucs: 0,
            repeated: 0,
            left_out: 0,
            rejected: BTreeMap::new(),
            rejects_file: None,
            unread_values: BTreeMap::new(),
            unlisted_values: BTreeMap::new(),
            unlisted_wordings: Vec::new(),
            unknown_columns: Vec::new(),
            encoding: None,
            forced: Vec::new(),
            text_bytes: 0,
            index_bytes: 0,
            previous: None,
            changes: None,
        }
    }
}
