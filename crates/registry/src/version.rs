//! The version of a downloaded file: stored in a note next to the file, and in the edition made from it.

use serde::{Deserialize, Serialize};

/// A file's name, and its version as the server reports it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileVersion {
    /// The URL, or the file name of a file that was not downloaded.
    // Notes of downloads by version 0.1 call it `url`.
    #[serde(alias = "url")]
    pub name: String,
    /// The `ETag`, quotes included.
    pub etag: Option<String>,
    /// The `Last-Modified`, as sent.
    pub last_modified: Option<String>,
}

impl FileVersion {
    /// A file without a version from a server.
    #[must_use]
    pub fn unversioned(name: impl Into<String>) -> Self {
        Self { name: name.into(), etag: None, last_modified: None }
    }

    /// Whether the server sent a version that can be compared.
    #[must_use]
    pub const fn is_versioned(&self) -> bool {
        self.etag.is_some() || self.last_modified.is_some()
    }
}
