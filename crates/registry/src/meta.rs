//! The metadata of an edition: its date, its sources and its counts.
//!
//! Stored as JSON in the edition's `meta` section. It has no time of day, so that the same input over the same
//! parent gives the same bytes.

use std::collections::BTreeMap;

use kuraka_domain::Date;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::{FileVersion, List};

/// The origin of an edition's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// SUNAT's file.
    Published,
    /// The sample bundled for demonstrations; it never ages.
    Sample,
}

/// Facts about one edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// `YYYY-MM-DD-<8 hex>`, the edition's name.
    pub label: String,
    /// The day SUNAT published the padrón, if it is known.
    pub date: Date,
    /// Real data, or the bundled sample.
    pub origin: Origin,
    /// Taxpayers in the edition.
    pub rows: u64,
    /// Noise lines (key `00`) that were skipped.
    pub skipped: u64,
    /// Lines that were refused.
    pub rejected: u64,
    /// The padrón file.
    pub padron: SourceMeta,
    /// The lists in it; a list that is missing was never imported.
    #[serde(flatten, with = "stored_lists")]
    pub lists: BTreeMap<List, ListMeta>,
    /// Texts of the guards that an operator overrode to publish this edition.
    pub forced: Vec<String>,
}

/// One source file, as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SourceMeta {
    /// The file's name and version.
    #[serde(flatten)]
    pub version: FileVersion,
    /// SHA-256 of the file's bytes, 64 lower-case hex digits.
    pub sha256: String,
    /// The file's length.
    pub bytes: u64,
}

/// One list, possibly carried over from an earlier edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListMeta {
    /// The file it was read from.
    pub source: SourceMeta,
    /// Distinct RUCs in it, whether they are in the padrón or not.
    pub count: u64,
    /// Lines that could not be read.
    pub skipped: u64,
    /// Label of the edition that imported it.
    pub edition: String,
}

impl Serialize for SourceMeta {
    /// Flat, in the order of format 1, so that an edition's bytes do not depend on the version that builds it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let FileVersion { name, etag, last_modified } = &self.version;
        let mut record = serializer.serialize_struct("SourceMeta", 5)?;
        record.serialize_field("name", name)?;
        record.serialize_field("sha256", &self.sha256)?;
        record.serialize_field("bytes", &self.bytes)?;
        record.serialize_field("etag", etag)?;
        record.serialize_field("last_modified", last_modified)?;
        record.end()
    }
}

/// Lists as format 1 stores them: one field a list, `null` for a list that was never imported.
mod stored_lists {
    use serde::de::Error;
    use serde::{Deserializer, Serializer};
    use serde_json::Value;

    use super::{BTreeMap, Deserialize, List, ListMeta};

    pub(super) fn serialize<S: Serializer>(lists: &BTreeMap<List, ListMeta>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(List::ALL.iter().map(|list| (list.code, lists.get(list))))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<List, ListMeta>, D::Error> {
        let mut fields = BTreeMap::<String, Value>::deserialize(from)?;
        List::ALL
            .into_iter()
            .filter_map(|list| Some((list, fields.remove(list.code).filter(|field| !field.is_null())?)))
            .map(|(list, field)| Ok((list, ListMeta::deserialize(field).map_err(D::Error::custom)?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The metadata of an edition that version 0.1.0 wrote.
    const STORED: &str = concat!(
        r#"{"label":"2026-11-20-0a1b2c3d","date":"2026-11-20","origin":"published","rows":3,"skipped":1,"rejected":0,"#,
        r#""padron":{"name":"https://example.pe/padron.zip","sha256":"00","bytes":7,"etag":"\"a\"","#,
        r#""last_modified":null},"withholding":{"source":{"name":"list.zip","sha256":"01","bytes":8,"etag":null,"#,
        r#""last_modified":null},"count":2,"skipped":0,"edition":"2026-11-19-0a1b2c3d"},"good_taxpayers":null,"#,
        r#""forced":[]}"#,
    );

    #[test]
    fn stored_metadata_reads_and_writes_the_same_bytes() {
        let meta: Meta = serde_json::from_str(STORED).unwrap();
        assert_eq!(meta.padron.version.etag.as_deref(), Some("\"a\""));
        assert_eq!(meta.lists.keys().collect::<Vec<_>>(), [&List::WITHHOLDING_AGENTS]);
        assert_eq!(serde_json::to_string(&meta).unwrap(), STORED);
    }

    #[test]
    fn unknown_fields_are_ignored_and_missing_lists_allowed() {
        let cut = STORED.replace(r#","good_taxpayers":null"#, r#","later":{"a":[1]}"#);
        assert_eq!(serde_json::from_str::<Meta>(&cut).unwrap(), serde_json::from_str(STORED).unwrap());
    }
}
