//! The metadata of a dataset's edition: its date, its source, its counts and its fields.
//!
//! Stored as JSON in the edition's `meta` section, without a time of day.

use kuraka_domain::Date;
use serde::{Deserialize, Serialize};

use crate::dataset::PADRON;
use crate::{Meta, Origin, SourceMeta};

/// Facts about one edition of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetMeta {
    /// The dataset's name.
    pub dataset: String,
    /// `YYYY-MM-DD-<8 hex>`, the edition's name.
    pub label: String,
    /// The day it was published, if it is known.
    pub date: Date,
    /// Real data, or the bundled sample.
    pub origin: Origin,
    /// Rows in the edition.
    pub rows: u64,
    /// Taxpayers that have them.
    pub rucs: u64,
    /// Repeated rows that were left out; in a dataset with one row a taxpayer also those with other values.
    pub repeated: u64,
    /// Rows of taxpayers that are not kept.
    pub left_out: u64,
    /// Lines that were refused.
    pub rejected: u64,
    /// The published file.
    pub source: SourceMeta,
    /// The text's encoding, if it has characters that show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Columns of the file that were not read because they are unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_columns: Vec<String>,
    /// The fields, in stored order.
    pub fields: Vec<FieldMeta>,
    /// Texts of the guards that an operator overrode to publish this edition.
    pub forced: Vec<String>,
}

/// A field of an edition: how its values are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldMeta {
    /// Its name in the description.
    pub name: String,
    /// The kind of its values: `text`, `date`, `integer`, `ubigeo` or `listed`.
    pub kind: String,
    /// The codes of a listed field's table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub codes: Vec<u8>,
}

impl From<Meta> for DatasetMeta {
    /// The padrón's facts in the common form. Its fields have no schema.
    fn from(meta: Meta) -> Self {
        Self {
            dataset: PADRON.name.to_owned(),
            label: meta.label,
            date: meta.date,
            origin: meta.origin,
            rows: meta.rows,
            rucs: meta.rows,
            repeated: 0,
            left_out: meta.skipped,
            rejected: meta.rejected,
            source: meta.padron,
            encoding: None,
            unknown_columns: Vec::new(),
            fields: Vec::new(),
            forced: meta.forced,
        }
    }
}
