//! What an edition says about itself: its date, where it came from, what was counted.
//!
//! Stored as JSON in the edition's `meta` section. It holds no clock reading, so that the same input over the same
//! parent gives the same bytes.

use kuraka_domain::Date;
use serde::{Deserialize, Serialize};

/// Where an edition's rows come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The tax authority's file.
    Published,
    /// The sample bundled for demonstrations; it never ages.
    Sample,
}

/// Facts about one edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// `YYYY-MM-DD-<8 hex>`, the edition's name.
    pub label: String,
    /// The day the tax authority published the padrón, as far as it is known.
    pub date: Date,
    /// Real data, or the bundled sample.
    pub origin: Origin,
    /// Taxpayers in the edition.
    pub rows: u64,
    /// Lines of known noise (key `00`) left out.
    pub skipped: u64,
    /// Lines refused and left out.
    pub rejected: u64,
    /// The padrón file.
    pub padron: SourceMeta,
    /// The list of withholding agents; `None` = never imported.
    pub withholding: Option<ListMeta>,
    /// The list of good taxpayers; `None` = never imported.
    pub good_taxpayers: Option<ListMeta>,
    /// Guards that an operator overrode to publish this edition, as texts.
    pub forced: Vec<String>,
}

/// One source file, as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceMeta {
    /// File name or URL, as the caller named it.
    pub name: String,
    /// SHA-256 of the file's bytes, 64 lower-case hex digits.
    pub sha256: String,
    /// The file's length.
    pub bytes: u64,
    /// The `ETag` it was served with.
    pub etag: Option<String>,
    /// The `Last-Modified` it was served with, as sent.
    pub last_modified: Option<String>,
}

/// One list of RUCs, possibly carried over from an earlier edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListMeta {
    /// The file it was read from.
    pub source: SourceMeta,
    /// Distinct RUCs in it, whether the padrón knows them or not.
    pub count: u64,
    /// Lines that could not be read.
    pub skipped: u64,
    /// Label of the edition whose import read it.
    pub edition: String,
}
