//! Removes idle callers and accounts, so that memory depends on the active ones.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{AccountMeters, CredentialCache};

use super::Job;

/// Between drops of idle callers.
const TICKS_PER_DROP: u64 = 60;

pub struct EvictIdle {
    pub credentials: Arc<CredentialCache>,
    pub meters: Arc<AccountMeters>,
}

impl Job for EvictIdle {
    const NAME: &'static str = "evict_idle";
    const STALLED_AFTER: Option<Duration> = Some(Duration::from_secs(300));
    /// How often accounts without a cached caller are evicted.
    const EVERY: Duration = Duration::from_secs(1);

    async fn tick(&mut self, number: u64) -> bool {
        if number.is_multiple_of(TICKS_PER_DROP) {
            self.credentials.drop_idle();
        }
        self.meters.evict_idle();
        true
    }
}
