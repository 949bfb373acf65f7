//! Drops callers and accounts that are idle, so that memory follows the accounts that call.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{AccountMeters, CredentialCache};

use super::{Stopping, Ticker};

/// How often accounts that no caller holds any more are looked at.
const EVERY: Duration = Duration::from_secs(1);
/// Idle callers are dropped every minute.
const DROP_IDLE_EACH: u64 = 60;

/// Evicts idle accounts.
pub async fn evict_idle(credentials: Arc<CredentialCache>, meters: Arc<AccountMeters>, stopping: Stopping) {
    let mut ticker = Ticker::every(EVERY, stopping);
    let mut ticks = 0_u64;
    while ticker.next().await {
        if ticks.is_multiple_of(DROP_IDLE_EACH) {
            credentials.drop_idle();
        }
        meters.evict_idle();
        ticks += 1;
    }
}
