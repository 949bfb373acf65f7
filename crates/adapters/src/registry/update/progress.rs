//! Progress of an update.

use kuraka_registry::{NoProgress, Progress};

/// Receives the progress of an update: the bytes of each file, then what [`Progress`] receives.
pub trait UpdateProgress: Progress + Send + Sync {
    /// So many bytes of the file have arrived, of so many in all if the server says so.
    fn received(&self, file: &'static str, bytes: u64, total: Option<u64>);
}

/// Ignores everything.
impl UpdateProgress for NoProgress {
    fn received(&self, _file: &'static str, _bytes: u64, _total: Option<u64>) {}
}
