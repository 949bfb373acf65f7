//! Deletes ended rows from the store.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{OwnTokens, SignIn, Usage};

use super::{Job, have_succeeded};
use crate::metrics::Metrics;

/// The job that deletes expired sessions, which are refused anyway, tokens 90 days after their end, and old daily
/// usage.
pub struct SweepStore {
    /// Deletes sessions.
    pub sign_in: Arc<SignIn>,
    /// Deletes tokens.
    pub own_tokens: Arc<OwnTokens>,
    /// Deletes daily usage.
    pub usage: Arc<Usage>,
    /// Counts failures.
    pub metrics: Arc<Metrics>,
}

impl Job for SweepStore {
    const NAME: &'static str = "sweep_store";
    const STALLED_AFTER: Option<Duration> = None;
    const EVERY: Duration = Duration::from_secs(3_600);

    async fn tick(&mut self) -> bool {
        let done = [
            ("expired sessions", self.sign_in.sweep().await),
            ("ended tokens", self.own_tokens.sweep().await),
            ("old daily usage", self.usage.forget().await),
        ];
        have_succeeded(done, &self.metrics)
    }
}
