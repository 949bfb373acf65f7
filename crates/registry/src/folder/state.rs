//! What shows that a file was replaced or changed.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::SystemTime;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileState {
    inode: u64,
    length: u64,
    modified: Option<SystemTime>,
}

impl FileState {
    /// `None` = there is no file.
    pub fn read(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|file| Self::from(&file))
    }
}

impl From<&Metadata> for FileState {
    fn from(file: &Metadata) -> Self {
        Self { inode: file.ino(), length: file.len(), modified: file.modified().ok() }
    }
}
