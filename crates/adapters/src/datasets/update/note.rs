//! The note beside a dataset's download.

use kuraka_registry::FileVersion;
use serde::{Deserialize, Serialize};

const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Which version was fetched last, and which edition it became.
#[derive(Serialize, Deserialize)]
pub(super) struct Note {
    #[serde(flatten)]
    pub(super) version: FileVersion,
    /// The edition that it was published as; `None` = it was refused.
    pub(super) label: Option<String>,
    /// Why this version of the file was not accepted, if that was not for the moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) refused: Option<Refused>,
}

/// A refusal of a file.
#[derive(Serialize, Deserialize)]
pub(super) struct Refused {
    /// The version of this program: another one may accept the file.
    by: String,
    cause: String,
}

impl Note {
    /// A file that became the edition with this label.
    pub(super) fn published(version: FileVersion, label: &str) -> Self {
        Self { version, label: Some(label.to_owned()), refused: None }
    }

    /// A file that this program refuses.
    pub(super) fn refused(version: FileVersion, cause: String) -> Self {
        Self { version, label: None, refused: Some(Refused { by: PROGRAM.to_owned(), cause }) }
    }

    /// Why this program has refused the file.
    pub(super) fn why_refused(&self) -> Option<&str> {
        self.refused.as_ref().filter(|refused| refused.by == PROGRAM).map(|refused| &*refused.cause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_by_another_version_of_the_program_does_not_count() {
        let mut note = Note::refused(FileVersion::unversioned("http://a/padron.zip"), "no header".to_owned());
        assert_eq!(note.why_refused(), Some("no header"));
        note.refused.as_mut().unwrap().by = "0.1.0-before".to_owned();
        assert_eq!(note.why_refused(), None);
    }
}
