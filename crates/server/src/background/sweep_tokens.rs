//! The job that deletes tokens that ended long ago.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::OwnTokens;

use super::Job;
use crate::logs;
use crate::metrics::Metrics;

/// Tokens are kept for 90 days after their end, so an hour more does not matter.
const EVERY: Duration = Duration::from_secs(3_600);

/// The job that deletes the tokens every hour.
pub struct SweepTokens {
    /// Deletes them.
    pub own_tokens: Arc<OwnTokens>,
    /// Counts failures.
    pub metrics: Arc<Metrics>,
}

impl Job for SweepTokens {
    const NAME: &'static str = "sweep_tokens";
    const STALLED_AFTER: Option<Duration> = None;

    fn period(&self) -> Duration {
        EVERY
    }

    async fn tick(&mut self) -> bool {
        let swept = self.own_tokens.sweep().await;
        if let Err(error) = &swept {
            self.metrics.record_store_error();
            tracing::warn!(cause = logs::chain(error), "ended tokens could not be deleted");
        }
        swept.is_ok()
    }
}
