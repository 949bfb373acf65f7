//! The job that deletes tokens that ended long ago.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::OwnTokens;

use super::{Stopping, Ticker};
use crate::logs;
use crate::metrics::Metrics;

/// Tokens are kept for 90 days after their end, so an hour more does not matter.
const EVERY: Duration = Duration::from_secs(3_600);

/// Deletes the tokens every hour, until the server stops.
pub async fn sweep_tokens(own_tokens: Arc<OwnTokens>, metrics: Arc<Metrics>, stopping: Stopping) {
    let mut ticker = Ticker::every(EVERY, stopping);
    while ticker.next().await {
        if let Err(error) = own_tokens.sweep().await {
            metrics.record_store_error();
            tracing::warn!(cause = logs::chain(&error), "ended tokens could not be deleted");
        }
    }
}
