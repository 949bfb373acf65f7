//! Reads the store's revision, so that revocations and plan changes take effect.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::Authenticate;

use super::{Stopping, Ticker};
use crate::logs;
use crate::metrics::Metrics;

/// How often the revision is read: a change takes effect within this time plus one query.
const EVERY: Duration = Duration::from_millis(250);

/// Watches the store's revision.
pub async fn watch_store(authenticate: Arc<Authenticate>, metrics: Arc<Metrics>, stopping: Stopping) {
    let mut ticker = Ticker::every(EVERY, stopping);
    let mut reachable = true;
    while ticker.next().await {
        match authenticate.watch().await {
            Ok(()) => reachable = true,
            Err(error) => {
                metrics.store_failed();
                // Said once an outage, not four times a second.
                if std::mem::replace(&mut reachable, false) {
                    tracing::error!(cause = logs::chain(&error), "the store cannot be asked for changes");
                }
            }
        }
    }
}
