//! The limits of a download: whether another attempt is made, and the wait before it.

use std::time::Duration;

use kuraka_ports::chain;
use kuraka_registry::dataset::Dataset;
use tokio::time::{Instant, sleep, timeout};

use super::error::TransferError;
use crate::address::without_secrets;

/// The longest wait that a server does not ask for.
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// Longer requested waits are left to the next update.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(300);
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

pub(super) struct Retries {
    limits: DownloadLimits,
    started: Instant,
    broken: u32,
}

impl Retries {
    pub(super) fn new(limits: DownloadLimits) -> Self {
        Self { limits, started: Instant::now(), broken: 0 }
    }

    /// `attempt`, unless the time for all is over.
    pub(super) async fn within<T>(&self, attempt: impl Future<Output = T>) -> Result<T, TransferError> {
        timeout(self.limits.total.saturating_sub(self.started.elapsed()), attempt)
            .await
            .map_err(|_| TransferError::Time)
    }

    /// Waits for the next attempt. If there is none (used up, too late, or the server asks for a longer wait): the
    /// number of attempts and the last cause.
    pub(super) async fn pause(&mut self, url: &str, cause: TransferError) -> Result<(), (u32, TransferError)> {
        self.broken += 1;
        let attempt = self.broken;
        let asked = cause.retry_after().unwrap_or_default();
        let own = wait(self.limits.pause, attempt, getrandom::u32().unwrap_or(u32::MAX));
        let wait = own.max(asked);
        // Servers may ask for any number of seconds.
        let is_late = || self.started.elapsed().saturating_add(wait) > self.limits.total;
        if attempt >= self.limits.attempts || asked > MAX_RETRY_AFTER || is_late() {
            return Err((attempt, cause));
        }
        let (url, seconds) = (without_secrets(url), wait.as_secs());
        tracing::warn!(url, attempt, seconds, cause = chain(&cause), "a download broke off and is tried again");
        sleep(wait).await;
        Ok(())
    }
}

/// The wait after this many broken attempts: `first`, doubled with each, up to a minute; `random` takes off up to half,
/// so that servers that failed together do not come back together.
fn wait(first: Duration, broken: u32, random: u32) -> Duration {
    let doubled = first.saturating_mul(2_u32.saturating_pow(broken.saturating_sub(1))).min(MAX_PAUSE);
    doubled / 2 + (doubled / 2).mul_f64(f64::from(random) / f64::from(u32::MAX))
}
