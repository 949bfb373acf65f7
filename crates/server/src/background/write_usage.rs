//! Writes the daily usage of accounts and the last-used times of tokens to the store.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{CredentialCache, Usage};

use super::Job;
use crate::logs;
use crate::metrics::Metrics;

/// Last-used times are written every 5 ticks.
const TICKS_PER_LAST_USED: u64 = 5;
/// Daily usage older than the retention period is deleted every 3 600 ticks, which is an hour.
const TICKS_PER_DELETION: u64 = 3_600;

/// The job that writes usage, also once more when the server stops.
pub struct WriteUsage {
    usage: Arc<Usage>,
    credentials: Arc<CredentialCache>,
    metrics: Arc<Metrics>,
    ticks: u64,
}

impl WriteUsage {
    /// Creates the job. `metrics` counts failures.
    #[must_use]
    pub fn new(usage: Arc<Usage>, credentials: Arc<CredentialCache>, metrics: Arc<Metrics>) -> Self {
        Self { usage, credentials, metrics, ticks: 0 }
    }

    async fn write(&self, last_used: bool, deletion: bool) -> bool {
        let mut done = vec![("daily usage", self.usage.write().await)];
        if last_used {
            done.push(("last-used times", self.credentials.note_uses().await));
        }
        if deletion {
            done.push(("deletion of old usage", self.usage.forget().await));
        }
        let mut succeeded = true;
        for (what, result) in done {
            if let Err(error) = result {
                succeeded = false;
                self.metrics.store_errors.inc();
                tracing::warn!(what, cause = logs::chain(&error), "the store could not be written to");
            }
        }
        succeeded
    }
}

impl Job for WriteUsage {
    const NAME: &'static str = "write_usage";
    const STALLED_AFTER: Option<Duration> = Some(Duration::from_secs(60));
    /// How often daily usage is written. The panel shows a call within this time.
    const EVERY: Duration = Duration::from_secs(1);

    async fn tick(&mut self) -> bool {
        let ticks = self.ticks;
        self.ticks += 1;
        self.write(ticks.is_multiple_of(TICKS_PER_LAST_USED), ticks.is_multiple_of(TICKS_PER_DELETION)).await
    }

    async fn finish(&mut self) {
        self.write(true, false).await;
    }
}
