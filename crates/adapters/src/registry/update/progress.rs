//! Progress of an update.

use kuraka_registry::{NoProgress, Progress};

/// Receives the progress of an update: the bytes of each file, then what [`Progress`] receives.
pub trait UpdateProgress: Progress + Send + Sync {
    /// The number of bytes received, and the file's size if the server announces it.
    fn received(&self, file: &'static str, bytes: u64, total: Option<u64>);
}

/// Ignores everything.
impl UpdateProgress for NoProgress {
    fn received(&self, _file: &'static str, _bytes: u64, _total: Option<u64>) {}
}
