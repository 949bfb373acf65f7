//! The request for an import.

use std::path::PathBuf;

use kuraka_domain::Date;

use crate::checksum::{Checksum, hex};
use crate::{FileVersion, Origin, SourceMeta};

/// One import of the padrón: its file and its date. Its lists come from the registry.
#[derive(Clone, Debug)]
pub struct ImportRequest {
    /// The padrón reducido, as the published zip or as its text.
    pub padron: SourceFile,
    /// The day the padrón was published, as the operator says; `None` = `served_on`, else the zip entry's date, else
    /// `today`.
    pub date: Option<Date>,
    /// The day the padrón was published, as its server says. Other than with `date`, the same files are not published
    /// again for another day.
    pub served_on: Option<Date>,
    /// Today in Peru.
    pub today: Date,
    /// Real data, or the bundled sample.
    pub origin: Origin,
    /// Publish even if a guard refuses. An unreadable file is still refused.
    pub force: bool,
}

/// A file to read, and the metadata to store about it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its path.
    pub path: PathBuf,
    /// Its name and version, which the edition stores.
    pub version: FileVersion,
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
        SourceMeta { version: self.version.clone(), sha256: hex(&sha256), bytes }
    }
}
