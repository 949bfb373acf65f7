//! The job that returns the leases of idle accounts.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::AccountMeters;

use super::{Stopping, Ticker};
use crate::logs;
use crate::metrics::Metrics;

const EVERY: Duration = Duration::from_millis(250);

/// Returns the leases of idle accounts four times a second, until the server stops.
pub async fn settle_leases(meters: Arc<AccountMeters>, metrics: Arc<Metrics>, stopping: Stopping) {
    let mut ticker = Ticker::every(EVERY, stopping);
    while ticker.next().await {
        if let Err(error) = meters.settle_idle().await {
            metrics.record_store_error();
            tracing::error!(cause = logs::chain(&error), "an idle lease was lost to its account");
        }
    }
}
