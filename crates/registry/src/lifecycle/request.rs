//! The request for an import.

use std::path::PathBuf;

use kuraka_domain::{Date, EditionOrigin};

use crate::FileVersion;
use crate::changes::BuilderLists;
use crate::checksum::Checksum;

#[derive(Clone, Debug)]
pub struct Import {
    /// The published file, or a finished edition.
    pub source: SourceFile,
    /// Which of the two it may be.
    pub accepts: Accepts,
    /// The required SHA-256; `None` = any.
    pub sha256: Option<Checksum>,
    /// The day of publication by the operator, who alone may give one later than `today`. `None` = the month of the
    /// rows in a monthly dataset, else `served_on`, else the zip entry's date, else `today`.
    pub date: Option<Date>,
    /// The day of publication by the server. Unlike `date`, another one does not publish the same file again.
    pub served_on: Option<Date>,
    pub today: Date,
    pub origin: EditionOrigin,
    /// Overrides the guards. An unreadable file is still refused.
    pub force: bool,
    /// Change lists of the server that built the edition.
    pub lists: Option<BuilderLists>,
    /// Whether to index the names of companies; only measurements do without.
    pub names: bool,
}

/// What a file may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// An operator gave the file: either.
    Any,
    /// From a publisher's address: a published file.
    Published,
    /// From another Kuraka server: a finished edition.
    Edition,
}

/// A file to read, and the metadata to store about it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub path: PathBuf,
    pub version: FileVersion,
}

impl Import {
    /// An import of published data without a date.
    pub const fn new(source: SourceFile, today: Date) -> Self {
        let (accepts, origin) = (Accepts::Any, EditionOrigin::Published);
        let (sha256, date, served_on, lists) = (None, None, None, None);
        Self { source, accepts, sha256, date, served_on, today, origin, force: false, lists, names: true }
    }
}

impl SourceFile {
    /// Its name is the file name.
    pub fn local(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Self { path, version: FileVersion::unversioned(name) }
    }
}
