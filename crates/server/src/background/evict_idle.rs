//! Removes idle callers and accounts from memory, so that memory depends on the number of active accounts.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{AccountMeters, CredentialCache};

use super::{Stopping, Ticker};

/// How often accounts without a cached caller are evicted.
const EVERY: Duration = Duration::from_secs(1);
/// Idle callers are dropped every 60 ticks.
const TICKS_PER_DROP: u64 = 60;

/// Runs until the server stops.
pub async fn evict_idle(credentials: Arc<CredentialCache>, meters: Arc<AccountMeters>, stopping: Stopping) {
    let mut ticker = Ticker::every(EVERY, stopping);
    let mut ticks = 0_u64;
    while ticker.next().await {
        if ticks.is_multiple_of(TICKS_PER_DROP) {
            credentials.drop_idle();
        }
        meters.evict_idle();
        ticks += 1;
    }
}
