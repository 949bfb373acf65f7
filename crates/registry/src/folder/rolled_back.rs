//! What operators rolled back from.

use super::error::FileError;
use super::kept::newest_first;
use super::layout::{Folder, label_of};

/// The editions that operators rolled back from.
#[derive(Debug)]
pub(crate) struct RolledBack {
    labels: Vec<String>,
    /// Label, and checksum of the published file, of those that are kept.
    files: Vec<(String, String)>,
}

impl RolledBack {
    /// Those of a folder.
    pub(crate) fn of(folder: &Folder) -> Result<Self, FileError> {
        let labels = folder.rolled_back()?;
        let mut files = Vec::new();
        for (path, summary) in newest_first(folder)? {
            let label = label_of(&path);
            if let Some(sha256) =
                summary.filter(|_| labels.contains(&label)).and_then(|summary| summary.source_sha256())
            {
                files.push((label, sha256));
            }
        }
        Ok(Self { labels, files })
    }

    /// The label of the one that has this label, or that was made from the same file: a date or another list can give
    /// the same file another label. A file that `current`, the current edition, was made from too is not to blame.
    pub(crate) fn find(&self, label: &str, sha256: &str, current: Option<&str>) -> Option<&str> {
        let same = self.labels.iter().find(|from| *from == label);
        let made = || self.files.iter().find(|(_, from)| from == sha256 && current != Some(sha256));
        same.or_else(|| made().map(|(from, _)| from)).map(String::as_str)
    }
}
