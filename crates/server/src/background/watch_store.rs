//! Polls the store for changes, so that revocations and plan changes take effect.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::CredentialCache;

use super::{Stopping, Ticker};
use crate::logs;
use crate::metrics::Metrics;

/// How often the store is polled. A change takes effect within this time plus one query.
const EVERY: Duration = Duration::from_millis(250);

/// Drops changed credentials from the cache until the server stops.
pub async fn watch_store(credentials: Arc<CredentialCache>, metrics: Arc<Metrics>, stopping: Stopping) {
    let mut ticker = Ticker::every(EVERY, stopping);
    let mut reachable = true;
    while ticker.next().await {
        match credentials.watch().await {
            Ok(()) => reachable = true,
            Err(error) => {
                metrics.record_store_error();
                // Log once per outage, not four times a second.
                if std::mem::replace(&mut reachable, false) {
                    tracing::error!(cause = logs::chain(&error), "the store cannot be asked for changes");
                }
            }
        }
    }
}
