//! The result of reading a file.

use std::collections::BTreeMap;

use kuraka_domain::Date;

use super::bad_lines::BadLines;
use crate::dataset::Encoding;

/// Unknown wordings and columns that are named.
pub(super) const NAMED: usize = 20;

#[derive(Clone, Debug, Default)]
pub struct Report {
    pub rows: u64,
    /// Lines of taxpayers that are not kept.
    pub left_out: u64,
    pub dropped_addresses: u64,
    pub bad_lines: BadLines,
    /// Unreadable values taken as missing, by field.
    pub unread_values: BTreeMap<&'static str, u64>,
    /// Values that the field's table lacks, by field.
    pub unlisted_values: BTreeMap<&'static str, u64>,
    /// The first of them.
    pub unlisted_wordings: Vec<String>,
    /// Columns that are not described and were not read.
    pub unknown_columns: Vec<String>,
    /// The text's encoding; `None` = a workbook, or ASCII.
    pub encoding: Option<Encoding>,
    /// The date of the zip's entry.
    pub entry_date: Option<Date>,
    pub sha256: [u8; 32],
    pub file_bytes: u64,
    /// Bytes of text, unpacked.
    pub text_bytes: u64,
}
