//! The job that deletes expired sessions.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::SignIn;

use super::{Stopping, Ticker};
use crate::logs;
use crate::metrics::Metrics;

/// Expired sessions are refused even before they are deleted, so deleting can be rare.
const EVERY: Duration = Duration::from_secs(600);

/// Deletes expired sessions every ten minutes, until the server stops.
pub async fn sweep_sessions(sign_in: Arc<SignIn>, metrics: Arc<Metrics>, stopping: Stopping) {
    let mut ticker = Ticker::every(EVERY, stopping);
    while ticker.next().await {
        if let Err(error) = sign_in.sweep().await {
            metrics.record_store_error();
            tracing::warn!(cause = logs::chain(&error), "expired sessions could not be deleted");
        }
    }
}
