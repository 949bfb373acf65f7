//! The last try at bringing a dataset up to date: when it was, and how it ended.
//!
//! It is kept in a small file beside the dataset's downloads, so that it survives a restart, and commands and servers
//! see each other's. Losing it loses nothing else.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use kuraka_registry::dataset::Dataset;
use serde::{Deserialize, Serialize};

use super::downloads::{FolderError, downloads_of};
use crate::download::note;

const FILE: &str = "last_try";

/// The last try at bringing a dataset up to date.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatasetAttempt {
    /// When it ended.
    pub at: Timestamp,
    /// How it ended.
    #[serde(flatten)]
    pub outcome: AttemptOutcome,
}

/// How a try ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// There is a new edition.
    Published {
        /// Its label.
        edition: String,
    },
    /// The publisher's file is the one that was imported before.
    Unchanged,
    /// Nothing was published; the edition before stays.
    Failed {
        /// The error with its causes.
        cause: String,
    },
}

impl AttemptOutcome {
    /// The outcome's name in metrics and JSON: `published`, `unchanged` or `failed`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Published { .. } => "published",
            Self::Unchanged => "unchanged",
            Self::Failed { .. } => "failed",
        }
    }

    /// Whether nothing could be said about the dataset.
    #[must_use]
    pub const fn is_failure(&self) -> bool {
        matches!(self, Self::Failed { .. })
    }
}

impl fmt::Display for AttemptOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Published { edition } => write!(f, "published {edition}"),
            Self::Unchanged => f.write_str("unchanged"),
            Self::Failed { cause } => write!(f, "failed: {cause}"),
        }
    }
}

/// The last try at this dataset; `None` = there was none, or its file cannot be read. `registry` is the registry's
/// folder.
#[must_use]
pub fn last_attempt(registry: &Path, dataset: &Dataset) -> Option<DatasetAttempt> {
    note::read(&path(registry, dataset))
}

/// Records a try, in place of the one before.
///
/// # Errors
/// If the file cannot be written.
pub fn record_attempt(registry: &Path, dataset: &Dataset, attempt: &DatasetAttempt) -> Result<(), FolderError> {
    let path = path(registry, dataset);
    let aside = path.with_added_extension("new");
    let written = fs::create_dir_all(downloads_of(registry, dataset))
        .and_then(|()| note::write(&aside, attempt))
        // Readers see the try before or this one, never a part of it.
        .and_then(|()| fs::rename(&aside, &path));
    written.map_err(|source| FolderError { path, source })
}

fn path(registry: &Path, dataset: &Dataset) -> PathBuf {
    downloads_of(registry, dataset).join(FILE)
}

#[cfg(test)]
mod tests {
    use kuraka_registry::dataset::{ANEXOS, PADRON};

    use super::*;

    #[test]
    fn a_try_is_read_back_and_replaces_the_one_before() {
        let folder = tempfile::tempdir().unwrap();
        let at = Timestamp::from_second(1_795_000_000).unwrap();
        let cause = "anexos could not be fetched: the server answered 503".to_owned();
        for dataset in [&PADRON, &ANEXOS] {
            assert_eq!(last_attempt(folder.path(), dataset), None);
            for outcome in [
                AttemptOutcome::Published { edition: "2026-11-20-0a1b2c3d".to_owned() },
                AttemptOutcome::Unchanged,
                AttemptOutcome::Failed { cause: cause.clone() },
            ] {
                let attempt = DatasetAttempt { at, outcome };
                record_attempt(folder.path(), dataset, &attempt).unwrap();
                assert_eq!(last_attempt(folder.path(), dataset), Some(attempt));
            }
        }
        let stored = fs::read_to_string(folder.path().join("datasets/anexos/downloads/last_try")).unwrap();
        assert_eq!(stored, format!(r#"{{"at":"2026-11-18T11:06:40Z","outcome":"failed","cause":"{cause}"}}"#));
        assert!(folder.path().join("downloads/last_try").exists());
    }
}
