//! Removes idle callers and accounts, so that memory depends on the active ones.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{AccountMeters, CredentialCache};

use super::Job;

pub struct EvictIdle {
    pub credentials: Arc<CredentialCache>,
    pub meters: Arc<AccountMeters>,
}

impl Job for EvictIdle {
    const NAME: &'static str = "evict_idle";
    const STALLED_AFTER: Option<Duration> = Some(Duration::from_secs(300));
    const EVERY: Duration = Duration::from_secs(60);

    async fn tick(&mut self, _: u64) -> bool {
        self.credentials.drop_idle();
        self.meters.evict_idle();
        true
    }
}
