//! The limits of a download.

use std::time::Duration;

/// How many attempts to make, how long to wait between them, and how large a file may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DownloadLimits {
    /// Attempts in all, the first included.
    pub attempts: u32,
    /// The wait after the first broken attempt; it doubles with each, up to a minute, and up to half of it is taken off
    /// at random. A server that asks for a longer wait gets it, up to five minutes.
    pub pause: Duration,
    /// From the start of the first attempt to the end of the last.
    pub total: Duration,
    /// Bytes of the largest file that is accepted.
    pub max_bytes: u64,
}

impl Default for DownloadLimits {
    /// Eight attempts within about two minutes of pauses, four hours, and 4 GiB: the zip's own limit.
    fn default() -> Self {
        Self { attempts: 8, pause: Duration::from_secs(1), total: Duration::from_secs(4 * 3_600), max_bytes: 4 << 30 }
    }
}
