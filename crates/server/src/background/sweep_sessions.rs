//! The job that deletes expired sessions.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::SignIn;

use super::Job;
use crate::logs;
use crate::metrics::Metrics;

/// Expired sessions are refused even before they are deleted, so deleting can be rare.
const EVERY: Duration = Duration::from_secs(600);

/// The job that deletes expired sessions every ten minutes.
pub struct SweepSessions {
    /// Deletes them.
    pub sign_in: Arc<SignIn>,
    /// Counts failures.
    pub metrics: Arc<Metrics>,
}

impl Job for SweepSessions {
    const NAME: &'static str = "sweep_sessions";
    const STALLED_AFTER: Option<Duration> = None;

    fn period(&self) -> Duration {
        EVERY
    }

    async fn tick(&mut self) -> bool {
        let swept = self.sign_in.sweep().await;
        if let Err(error) = &swept {
            self.metrics.record_store_error();
            tracing::warn!(cause = logs::chain(error), "expired sessions could not be deleted");
        }
        swept.is_ok()
    }
}
