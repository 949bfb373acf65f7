//! The result of reading a file.

use std::collections::BTreeMap;

use kuraka_domain::Date;

use super::bad_lines::BadLines;
use crate::dataset::Encoding;

/// How many unknown wordings and columns are named.
pub(super) const NAMED: usize = 20;

/// The result of reading a file to its end.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Rows handed on.
    pub rows: u64,
    /// Lines of taxpayers whose rows are not kept.
    pub left_out: u64,
    /// Addresses of persons that were dropped.
    pub dropped_addresses: u64,
    /// Refused lines.
    pub bad_lines: BadLines,
    /// Unreadable values that were taken as missing, by field.
    pub unread_values: BTreeMap<&'static str, u64>,
    /// Values that the field's table lacks, by field.
    pub unlisted_values: BTreeMap<&'static str, u64>,
    /// The first different ones of them.
    pub unlisted_wordings: Vec<String>,
    /// Columns of the file that the description does not know. They are not read.
    pub unknown_columns: Vec<String>,
    /// The text's encoding; `None` = a workbook, or all is ASCII.
    pub encoding: Option<Encoding>,
    /// The date of the zip's entry, if it has one.
    pub entry_date: Option<Date>,
    /// The file's SHA-256.
    pub sha256: [u8; 32],
    /// The file's length.
    pub file_bytes: u64,
    /// Bytes of text, unpacked.
    pub text_bytes: u64,
}
