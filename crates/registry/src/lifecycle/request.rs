//! The request for an import.

use std::path::PathBuf;

use kuraka_domain::Date;

use crate::changes::BuilderLists;
use crate::checksum::{Checksum, hex};
use crate::{FileVersion, Origin, SourceMeta};

/// One import of a dataset: its file and its date.
#[derive(Clone, Debug)]
pub struct Import {
    /// The published file, or a finished edition of the dataset.
    pub source: SourceFile,
    /// Which of the two it may be.
    pub accepts: Accepts,
    /// The SHA-256 that the file must have; `None` = any.
    pub sha256: Option<Checksum>,
    /// The day the file was published, as the operator says; `None` = the month of its rows if it is a monthly one,
    /// else `served_on`, else the zip entry's date, else `today`. Only the operator's may be later than `today`.
    pub date: Option<Date>,
    /// The day the file was published, as its server says. Other than with `date`, the same file is not published
    /// again for another day.
    pub served_on: Option<Date>,
    /// Today in Peru.
    pub today: Date,
    /// Real data, or the bundled sample.
    pub origin: Origin,
    /// Publish even if a guard refuses. An unreadable file is still refused.
    pub force: bool,
    /// The lists of changes of the server that built the edition.
    pub lists: Option<BuilderLists>,
    /// Index the names of companies, if the dataset has names. A measurement leaves the index out.
    pub names: bool,
}

/// What a file may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepts {
    /// The published file, or a finished edition: an operator gave it.
    Any,
    /// The published file: it comes from a publisher's address.
    Published,
    /// A finished edition: it comes from another Kuraka server.
    Edition,
}

/// A file to read, and the metadata to store about it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its path.
    pub path: PathBuf,
    /// Its name and version, which the edition stores.
    pub version: FileVersion,
}

impl Import {
    /// The import of a published file by this origin, without a date of its own.
    #[must_use]
    pub const fn new(source: SourceFile, today: Date) -> Self {
        let (accepts, origin) = (Accepts::Any, Origin::Published);
        let (sha256, date, served_on, lists) = (None, None, None, None);
        Self { source, accepts, sha256, date, served_on, today, origin, force: false, lists, names: true }
    }
}

impl SourceFile {
    /// A local file, with its file name as its name.
    #[must_use]
    pub fn local(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Self { path, version: FileVersion::unversioned(name) }
    }

    /// The metadata that an edition stores about the file after it was read.
    pub(crate) fn meta(&self, sha256: Checksum, bytes: u64) -> SourceMeta {
        SourceMeta { version: self.version.clone(), sha256: hex(sha256), bytes }
    }
}
