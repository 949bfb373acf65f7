//! The note beside a dataset's download.

use kuraka_registry::{Accepts, Checksum, FileVersion};
use serde::{Deserialize, Serialize};

const PROGRAM: &str = env!("CARGO_PKG_VERSION");

#[derive(Serialize, Deserialize)]
pub(super) struct Note {
    #[serde(flatten)]
    pub(super) version: FileVersion,
    /// The active edition after its import: made from it, or kept when it was refused.
    pub(super) label: Option<String>,
    pub(super) sha256: Option<Checksum>,
    /// The program's version, and the kind of file it expected.
    pub(super) by: String,
    /// Why this version was refused, if not temporarily.
    pub(super) refused: Option<String>,
    /// Whether only the importer's guards refused it.
    #[serde(default)]
    pub(super) by_guard: bool,
}

impl Note {
    /// Whether it still counts beside the active edition `label`. Another edition, program version or settings may
    /// accept a refused file.
    pub(super) fn counts(&self, label: Option<&str>, accepts: Accepts) -> bool {
        self.label.as_deref() == label && (self.refused.is_none() || self.by == judge(accepts))
    }
}

pub(super) fn judge(accepts: Accepts) -> String {
    format!("{PROGRAM} {accepts:?}")
}
