//! What an import did.

use std::collections::BTreeMap;
use std::path::PathBuf;

use kuraka_domain::Date;

use super::rejections::Rejections;
use crate::{Guard, List, ListMeta, Outcome};

/// What a successful import did.
#[derive(Clone, Debug)]
pub struct ImportReport {
    /// Whether there is a new edition.
    pub outcome: Outcome,
    /// The edition's label.
    pub label: String,
    /// The edition's date.
    pub date: Date,
    /// Where the date comes from.
    pub date_origin: DateOrigin,
    /// Taxpayers in the edition.
    pub rows: u64,
    /// Lines of known noise left out.
    pub skipped: u64,
    /// Lines refused and left out, by reason.
    pub rejections: Rejections,
    /// Where the first refused lines were written, if there were any.
    pub rejects_file: Option<PathBuf>,
    /// The lists in force; a list that is missing was never imported.
    pub lists: BTreeMap<List, ListMeta>,
    /// Guards that objected and were overridden.
    pub forced: Vec<Guard>,
    /// Bytes of the padrón's text.
    pub text_bytes: u64,
    /// Bytes of the index file; 0 if unchanged.
    pub index_bytes: u64,
    /// Label of the edition that was current before.
    pub previous: Option<String>,
}

/// Where an edition's date comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrigin {
    /// The request.
    Request,
    /// The zip entry's modification date.
    ZipEntry,
    /// The day of the import, because the request and the file have no date.
    Today,
}
