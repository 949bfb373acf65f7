//! Writes the daily usage of accounts and the last-used times of tokens to the store.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{CredentialCache, Usage};

use super::{Job, have_succeeded};
use crate::metrics::Metrics;

/// 5 s.
const TICKS_PER_LAST_USED: u64 = 5;

/// The job that writes usage, also when the server stops.
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

    async fn write(&self, last_used: bool) -> bool {
        let mut done = vec![("daily usage", self.usage.write().await)];
        if last_used {
            done.push(("last-used times", self.credentials.note_uses().await));
        }
        have_succeeded(done, &self.metrics)
    }
}

impl Job for WriteUsage {
    const NAME: &'static str = "write_usage";
    const STALLED_AFTER: Option<Duration> = Some(Duration::from_secs(60));
    /// The panel shows a call within this time.
    const EVERY: Duration = Duration::from_secs(1);

    async fn tick(&mut self) -> bool {
        let ticks = self.ticks;
        self.ticks += 1;
        self.write(ticks.is_multiple_of(TICKS_PER_LAST_USED)).await
    }

    async fn finish(&mut self) {
        self.write(true).await;
    }
}
