//! Whether another attempt is made, and the wait before it.

use kuraka_ports::chain;
use tokio::time::{Instant, sleep, timeout};

use super::backoff::{MAX_RETRY_AFTER, wait};
use super::error::TransferError;
use super::limits::DownloadLimits;
use crate::address::without_secrets;

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
