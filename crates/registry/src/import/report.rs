//! The result of an import.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kuraka_domain::Date;

use super::rejections::Rejections;
use crate::changes::Recorded;
use crate::{Guard, List, ListMeta, PublishResult};

/// The result of a successful import.
#[derive(Clone, Debug)]
pub struct ImportReport {
    /// Whether there is a new edition.
    pub outcome: PublishResult,
    /// The edition's label.
    pub label: String,
    /// The edition's date.
    pub date: Date,
    /// The origin of the date.
    pub date_origin: DateOrigin,
    /// Taxpayers in the edition.
    pub rows: u64,
    /// Noise lines that were skipped.
    pub skipped: u64,
    /// Refused lines, by reason.
    pub rejections: Rejections,
    /// The file with the first refused lines, if there are any.
    pub rejects_file: Option<PathBuf>,
    /// The lists in the edition; a list that is missing was never imported.
    pub lists: BTreeMap<List, ListMeta>,
    /// Names of the lists whose current edition is damaged, so that an earlier edition's or the flags of the edition
    /// before were taken.
    pub damaged_lists: Vec<&'static str>,
    /// Guards that refused and were overridden.
    pub forced: Vec<Guard>,
    /// Bytes of the padrón's text.
    pub text_bytes: u64,
    /// Bytes of the index file; 0 if unchanged.
    pub index_bytes: u64,
    /// Label of the edition that was current before.
    pub previous: Option<String>,
    /// The recorded changes since that edition; `None` = there was none before, or nothing was published.
    pub changes: Option<Recorded>,
}

/// The origin of an edition's date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrigin {
    /// The operator.
    Request,
    /// The server that has the file.
    Server,
    /// The month that most rows have.
    Rows,
    /// The zip entry's modification date.
    ZipEntry,
    /// The finished edition that was adopted.
    Edition,
    /// The day of the import, because the request and the file have no date.
    Today,
}
