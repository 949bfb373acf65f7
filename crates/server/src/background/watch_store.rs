//! Polls the store for changes, so that revocations and plan changes take effect.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use kuraka_app::CredentialCache;

use super::Job;
use crate::logs;
use crate::metrics::Metrics;

pub struct WatchStore {
    credentials: Arc<CredentialCache>,
    metrics: Arc<Metrics>,
    is_reachable: bool,
}

impl WatchStore {
    /// `metrics` counts failures.
    pub fn new(credentials: Arc<CredentialCache>, metrics: Arc<Metrics>) -> Self {
        Self { credentials, metrics, is_reachable: true }
    }
}

impl Job for WatchStore {
    const NAME: &'static str = "watch_store";
    const STALLED_AFTER: Option<Duration> = Some(Duration::from_secs(10));
    /// A change takes effect within this time plus a query.
    const EVERY: Duration = Duration::from_millis(250);

    async fn tick(&mut self, _: u64) -> bool {
        let watched = self.credentials.watch().await;
        let was_reachable = mem::replace(&mut self.is_reachable, watched.is_ok());
        if let Err(error) = &watched {
            self.metrics.store_errors.inc();
            // Once per outage.
            if was_reachable {
                tracing::error!(cause = logs::chain(error), "the store cannot be asked for changes");
            }
        }
        watched.is_ok()
    }
}
