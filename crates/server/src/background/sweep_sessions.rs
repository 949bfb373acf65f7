//! Deletes sessions that are over.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::SignIn;

use super::{Stopping, Ticker};
use crate::logs;
use crate::metrics::Metrics;

/// An expired session is refused before it is deleted, so this can be rare.
const EVERY: Duration = Duration::from_secs(600);

/// Forgets sessions that are over.
pub async fn sweep_sessions(sign_in: Arc<SignIn>, metrics: Arc<Metrics>, stopping: Stopping) {
    let mut ticker = Ticker::every(EVERY, stopping);
    while ticker.next().await {
        if let Err(error) = sign_in.sweep().await {
            metrics.store_failed();
            tracing::warn!(cause = logs::chain(&error), "sessions that are over could not be forgotten");
        }
    }
}
