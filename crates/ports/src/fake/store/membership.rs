//! The servers on a store in memory, which has no clock.

use std::num::NonZeroU32;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;

use super::MemoryStore;
use crate::{Heartbeat, Membership, ServerId, StoreError};

/// A server without a heartbeat for this long is not counted.
const SILENCE: Duration = Duration::from_secs(3);

#[async_trait]
impl Membership for MemoryStore {
    async fn beat(&self, server: ServerId) -> Result<Heartbeat, StoreError> {
        let mut rows = self.call()?;
        let now = Instant::now();
        rows.servers.retain(|_, seen| now - *seen < SILENCE);
        rows.servers.insert(server, now);
        let servers = u32::try_from(rows.servers.len()).ok().and_then(NonZeroU32::new);
        Ok(Heartbeat { servers: servers.unwrap_or(NonZeroU32::MIN), now: None })
    }

    async fn leave(&self, server: ServerId) -> Result<(), StoreError> {
        self.call()?.servers.remove(&server);
        Ok(())
    }
}
