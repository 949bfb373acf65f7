//! Removes idle callers and accounts, so that memory depends on the active ones.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{AccountMeters, CredentialCache};

use super::Job;

/// Between drops of idle callers.
const TICKS_PER_DROP: u64 = 60;

/// The job that removes idle callers and accounts.
pub struct EvictIdle {
    credentials: Arc<CredentialCache>,
    meters: Arc<AccountMeters>,
    ticks: u64,
}

impl EvictIdle {
    #[must_use]
    pub fn new(credentials: Arc<CredentialCache>, meters: Arc<AccountMeters>) -> Self {
        Self { credentials, meters, ticks: 0 }
    }
}

impl Job for EvictIdle {
    const NAME: &'static str = "evict_idle";
    const STALLED_AFTER: Option<Duration> = Some(Duration::from_secs(300));
    /// How often accounts without a cached caller are evicted.
    const EVERY: Duration = Duration::from_secs(1);

    async fn tick(&mut self) -> bool {
        let ticks = self.ticks;
        self.ticks += 1;
        if ticks.is_multiple_of(TICKS_PER_DROP) {
            self.credentials.drop_idle();
        }
        self.meters.evict_idle();
        true
    }
}
