//! The metadata of an edition, JSON in its `meta` section. It has no time of day, so that the same input over the same
//! parent gives the same bytes.

use kuraka_domain::{Date, EditionOrigin};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    pub dataset: String,
    /// `YYYY-MM-DD-<8 hex>`.
    pub label: String,
    pub date: Date,
    pub origin: EditionOrigin,
    pub rows: u64,
    pub rucs: u64,
    pub repeated: u64,
    /// Rows of taxpayers that are not kept.
    pub left_out: u64,
    pub rejected: u64,
    pub source: SourceMeta,
    /// The text's encoding, if its characters show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// Unknown columns, which were not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown_columns: Vec<String>,
    /// In stored order.
    pub fields: Vec<FieldMeta>,
    /// Guards that an operator overrode, as texts.
    pub forced: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldMeta {
    pub name: String,
    /// `text`, `date`, `integer` or `ubigeo`.
    pub kind: String,
}

/// The published file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceMeta {
    #[serde(flatten)]
    pub version: FileVersion,
    /// SHA-256, 64 lower-case hex digits.
    pub sha256: String,
    pub bytes: u64,
}

/// A file's name, and its version as the server reports it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileVersion {
    /// The URL, or the name of a file that was not downloaded.
    pub name: String,
    /// The `ETag`, quotes included.
    pub etag: Option<String>,
    /// The `Last-Modified`, as sent.
    pub last_modified: Option<String>,
}

impl FileVersion {
    /// A file without a version from a server.
    pub fn unversioned(name: impl Into<String>) -> Self {
        Self { name: name.into(), etag: None, last_modified: None }
    }

    /// Whether the server sent a version that can be compared.
    pub const fn is_versioned(&self) -> bool {
        self.etag.is_some() || self.last_modified.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORED: &str = concat!(
        r#"{"dataset":"anexos","label":"2026-11-20-0a1b2c3d","date":"2026-11-20","origin":"published","rows":3,"rucs":2,"#,
        r#""repeated":1,"left_out":0,"rejected":4,"source":{"name":"https://example.pe/anexos.zip","etag":"\"a\"","#,
        r#""last_modified":null,"sha256":"00","bytes":7},"fields":[{"name":"ubigeo","kind":"ubigeo"}],"forced":[]}"#,
    );

    #[test]
    fn stored_metadata_reads_and_writes_the_same_bytes() {
        let meta: Meta = serde_json::from_str(STORED).unwrap();
        assert_eq!(meta.source.version.etag.as_deref(), Some("\"a\""));
        assert_eq!(serde_json::to_string(&meta).unwrap(), STORED);
    }

    #[test]
    fn unknown_members_are_ignored() {
        let later = STORED.replace(r#""forced":[]"#, r#""forced":[],"later":{"a":[1]}"#);
        assert_eq!(serde_json::from_str::<Meta>(&later).unwrap(), serde_json::from_str(STORED).unwrap());
    }
}
