//! Jobs that delete from the store what has ended.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{OwnTokens, SignIn};
use kuraka_ports::StoreError;

use super::Job;
use crate::logs;
use crate::metrics::Metrics;

/// The job that deletes expired sessions every ten minutes. Expired sessions are refused even before they are deleted.
pub struct SweepSessions {
    /// Deletes them.
    pub sign_in: Arc<SignIn>,
    /// Counts failures.
    pub metrics: Arc<Metrics>,
}

/// The job that deletes tokens every hour, 90 days after their end.
pub struct SweepTokens {
    /// Deletes them.
    pub own_tokens: Arc<OwnTokens>,
    /// Counts failures.
    pub metrics: Arc<Metrics>,
}

impl Job for SweepSessions {
    const NAME: &'static str = "sweep_sessions";
    const STALLED_AFTER: Option<Duration> = None;
    const EVERY: Duration = Duration::from_secs(600);

    async fn tick(&mut self) -> bool {
        is_swept(self.sign_in.sweep().await, &self.metrics, "expired sessions could not be deleted")
    }
}

impl Job for SweepTokens {
    const NAME: &'static str = "sweep_tokens";
    const STALLED_AFTER: Option<Duration> = None;
    const EVERY: Duration = Duration::from_secs(3_600);

    async fn tick(&mut self) -> bool {
        is_swept(self.own_tokens.sweep().await, &self.metrics, "ended tokens could not be deleted")
    }
}

/// Counts and logs a failure.
fn is_swept<T>(swept: Result<T, StoreError>, metrics: &Metrics, failed: &str) -> bool {
    if let Err(error) = &swept {
        metrics.store_errors.inc();
        tracing::warn!(cause = logs::chain(error), "{failed}");
    }
    swept.is_ok()
}
