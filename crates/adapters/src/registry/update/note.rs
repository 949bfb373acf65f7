//! The note beside a dataset's download.

use kuraka_registry::FileVersion;
use serde::{Deserialize, Serialize};

/// Which version was fetched last, and which edition it became.
#[derive(Serialize, Deserialize)]
pub(super) struct Note {
    #[serde(flatten)]
    pub(super) version: FileVersion,
    /// The edition that it was published as; `None` = it was not imported yet, or refused.
    #[serde(default)]
    pub(super) label: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_of_version_0_1_is_read() {
        let stored = r#"{"url":"http://a/padron.zip","etag":"\"a\"","last_modified":null}"#;
        let note: Note = serde_json::from_str(stored).unwrap();
        assert_eq!((note.version.name.as_str(), note.version.etag.as_deref()), ("http://a/padron.zip", Some("\"a\"")));
        assert_eq!(note.label, None);
    }
}
