//! Writes the daily usage of accounts and the last use of tokens to the store.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{CredentialCache, Usage};

use super::{Stopping, Ticker};
use crate::logs;
use crate::metrics::Metrics;

/// How often calls are written: the panel shows a call within this time.
const EVERY: Duration = Duration::from_secs(1);
/// Last-used times are written every 5 ticks.
const NOTE_USES_EACH: u64 = 5;
/// Days that are no longer kept are deleted every hour.
const FORGET_EACH: u64 = 3_600;

/// Writes down what calls were made with which tokens, the latest of them when the server stops.
pub async fn write_usage(
    usage: Arc<Usage>,
    credentials: Arc<CredentialCache>,
    metrics: Arc<Metrics>,
    stopping: Stopping,
) {
    let mut ticker = Ticker::every(EVERY, stopping);
    let mut ticks = 0_u64;
    loop {
        let goes_on = ticker.next().await;
        let mut done = vec![("the history of calls", usage.write().await)];
        if !goes_on || ticks.is_multiple_of(NOTE_USES_EACH) {
            done.push(("tokens' latest uses", credentials.note_uses().await));
        }
        if ticks.is_multiple_of(FORGET_EACH) {
            done.push(("forgotten days", usage.forget().await));
        }
        for (what, outcome) in done {
            if let Err(error) = outcome {
                metrics.store_failed();
                tracing::warn!(what, cause = logs::chain(&error), "the store could not be written to");
            }
        }
        if !goes_on {
            return;
        }
        ticks += 1;
    }
}
