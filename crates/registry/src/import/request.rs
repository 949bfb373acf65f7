//! What an import is asked to do, and how it tells how far it is.

use std::path::PathBuf;

use kuraka_domain::Date;

use crate::Origin;

/// One import: which files, under which date.
#[derive(Clone, Debug)]
pub struct ImportRequest {
    /// The padrón reducido, as the published zip or as its text.
    pub padron: SourceFile,
    /// The list of withholding agents; `None` = keep the previous edition's.
    pub withholding: Option<SourceFile>,
    /// The list of good taxpayers; `None` = keep the previous edition's.
    pub good_taxpayers: Option<SourceFile>,
    /// The day the padrón was published; `None` = the zip entry's date, else `today`.
    pub date: Option<Date>,
    /// Today in Peru.
    pub today: Date,
    /// Real data, or the bundled sample.
    pub origin: Origin,
    /// Publish although a guard objects. An unreadable file is refused all the same.
    pub force: bool,
}

/// A file to read and what is remembered about it.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Where it is.
    pub path: PathBuf,
    /// The file name or URL to remember it by.
    pub name: String,
    /// The `ETag` it was served with.
    pub etag: Option<String>,
    /// The `Last-Modified` it was served with, as sent.
    pub last_modified: Option<String>,
}

impl SourceFile {
    /// A local file, remembered by its file name.
    #[must_use]
    pub fn local(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Self { path, name, etag: None, last_modified: None }
    }
}

/// How far the reading of the padrón is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advance {
    /// Bytes of the padrón file read so far (compressed ones, for a zip).
    pub bytes_read: u64,
    /// The padrón file's length.
    pub bytes_total: u64,
    /// Rows accepted so far.
    pub rows: u64,
}

/// What an import is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading the two lists.
    Lists,
    /// Reading the padrón.
    Padron,
    /// Sorting the rows and writing the index.
    Index,
    /// Reading the index back and comparing it with the edition before.
    Verification,
    /// Moving the index to its place.
    Publication,
}

/// Told how an import advances. Called from the importing thread, a few times a second at full speed.
pub trait Progress: Sync {
    /// The padrón has been read this far.
    fn advanced(&self, advance: Advance);
    /// A stage begins.
    fn stage(&self, stage: Stage);
}

/// Tells nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn advanced(&self, _advance: Advance) {}
    fn stage(&self, _stage: Stage) {}
}
