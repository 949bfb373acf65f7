//! Progress of an import.

/// How much of the published file was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advance {
    /// Bytes of the file read so far; compressed ones, for a zip.
    pub bytes_read: u64,
    pub bytes_total: u64,
    /// Rows accepted so far.
    pub rows: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Reading,
    Index,
    Verification,
    Changes,
    Publication,
}

impl Stage {
    /// Its name in logs and in `/readyz`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Index => "index",
            Self::Verification => "verification",
            Self::Changes => "changes",
            Self::Publication => "publication",
        }
    }
}

/// Receives the progress of an import on the importing thread, a few times a second.
pub trait Progress: Sync {
    /// The file has been read this far.
    fn advanced(&self, advance: Advance);
    fn stage(&self, stage: Stage);
}

#[derive(Clone, Copy, Debug, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn advanced(&self, _advance: Advance) {}
    fn stage(&self, _stage: Stage) {}
}
