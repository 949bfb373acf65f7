//! The limits of a download.

use std::time::Duration;

use kuraka_registry::dataset::Dataset;

const SMALL: u64 = 64 << 20;
/// All attempts included.
const SMALL_TOTAL: Duration = Duration::from_secs(600);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DownloadLimits {
    pub attempts: u32,
    /// The first wait; it doubles up to a minute, less up to half at random. A server's longer request counts, up to
    /// five minutes.
    pub pause: Duration,
    /// From the start of the first attempt to the end of the last.
    pub total: Duration,
    /// Bytes of the largest file that is accepted.
    pub max_bytes: u64,
}

impl Default for DownloadLimits {
    /// Two minutes of pauses in eight attempts, four hours, and the zip's own limit of 4 GiB.
    fn default() -> Self {
        Self { attempts: 8, pause: Duration::from_secs(1), total: Duration::from_secs(4 * 3_600), max_bytes: 4 << 30 }
    }
}

impl DownloadLimits {
    pub(super) fn for_dataset(self, dataset: &Dataset) -> Self {
        let max_bytes = self.max_bytes.min(dataset.limits.text);
        let total = if dataset.limits.text <= SMALL { self.total.min(SMALL_TOTAL) } else { self.total };
        Self { max_bytes, total, ..self }
    }
}
