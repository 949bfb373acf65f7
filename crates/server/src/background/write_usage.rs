//! Writes the daily usage of accounts and the last-used times of tokens to the store.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{CredentialCache, Usage};

use super::{Stopping, Ticker};
use crate::logs;
use crate::metrics::Metrics;

/// How often daily usage is written. The panel shows a call within this time.
const EVERY: Duration = Duration::from_secs(1);
/// Last-used times are written every 5 ticks.
const TICKS_PER_LAST_USED: u64 = 5;
/// Daily usage older than the retention period is deleted every 3 600 ticks, which is an hour.
const TICKS_PER_DELETION: u64 = 3_600;

/// Runs until the server stops, and then writes once more.
pub async fn write_usage(
    usage: Arc<Usage>,
    credentials: Arc<CredentialCache>,
    metrics: Arc<Metrics>,
    stopping: Stopping,
) {
    let mut ticker = Ticker::every(EVERY, stopping);
    let mut ticks = 0_u64;
    loop {
        let running = ticker.next().await;
        let mut done = vec![("daily usage", usage.write().await)];
        if !running || ticks.is_multiple_of(TICKS_PER_LAST_USED) {
            done.push(("last-used times", credentials.note_uses().await));
        }
        if ticks.is_multiple_of(TICKS_PER_DELETION) {
            done.push(("deletion of old usage", usage.forget().await));
        }
        for (what, result) in done {
            if let Err(error) = result {
                metrics.record_store_error();
                tracing::warn!(what, cause = logs::chain(&error), "the store could not be written to");
            }
        }
        if !running {
            return;
        }
        ticks += 1;
    }
}
