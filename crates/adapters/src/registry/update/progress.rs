//! How an update tells how far it is.

use kuraka_registry::{NoProgress, Progress};

/// Told how an update goes: what an import tells, and before it the bytes of each file.
pub trait UpdateProgress: Progress + Send + Sync {
    /// So many of so many bytes of a file have come.
    fn received(&self, file: &'static str, bytes: u64, total: Option<u64>);
}

/// The result is enough.
impl UpdateProgress for NoProgress {
    fn received(&self, _file: &'static str, _bytes: u64, _total: Option<u64>) {}
}
