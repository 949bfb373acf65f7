//! The note beside a dataset's download.

use kuraka_registry::{Accepts, Checksum, FileVersion};
use serde::{Deserialize, Serialize};

const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Which version was fetched last, and what became of it.
#[derive(Serialize, Deserialize)]
pub(super) struct Note {
    #[serde(flatten)]
    pub(super) version: FileVersion,
    /// The current edition after its import: the edition that it became, or the edition beside which it was refused.
    pub(super) label: Option<String>,
    /// The SHA-256 that was required of it.
    pub(super) sha256: Option<Checksum>,
    /// The version of the program, and what it expected at the address.
    pub(super) by: String,
    /// Why this version of the file was not accepted, if that was not for the moment.
    pub(super) refused: Option<String>,
}

impl Note {
    /// Whether it still counts beside the current edition with this label. Another edition, another version of the
    /// program, or other settings may accept a refused file.
    pub(super) fn counts(&self, label: Option<&str>, accepts: Accepts) -> bool {
        self.label.as_deref() == label && (self.refused.is_none() || self.by == judge(accepts))
    }
}

/// This version of the program, which expects a file of this kind.
pub(super) fn judge(accepts: Accepts) -> String {
    format!("{PROGRAM} {accepts:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_by_another_version_of_the_program_does_not_count() {
        let version = FileVersion::unversioned("http://a/padron.zip");
        let (by, refused) = (judge(Accepts::Published), Some("no header".to_owned()));
        let mut note = Note { version, label: None, sha256: None, by, refused };
        assert!(note.counts(None, Accepts::Published));
        assert!(!note.counts(None, Accepts::Edition) && !note.counts(Some("another"), Accepts::Published));
        note.by = note.by.replace(PROGRAM, "0.1.0-before");
        assert!(!note.counts(None, Accepts::Published));
    }
}
