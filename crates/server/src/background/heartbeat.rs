//! Tells the other servers on the same store that this one is alive, once a second.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::clock::FollowingClock;
use kuraka_adapters::store::Store;
use kuraka_app::AccountMeters;
use kuraka_ports::{Clock, Heartbeat, ServerId, StoreError};

use super::{Stopping, Ticker};
use crate::metrics::Metrics;

const EVERY: Duration = Duration::from_secs(1);

/// A server among those that share its store.
pub struct Member {
    /// This run of the server.
    pub id: ServerId,
    /// Where they meet.
    pub membership: Arc<dyn Store>,
    /// Follows the store's clock.
    pub clock: Arc<FollowingClock>,
    /// Divides the rates.
    pub meters: Arc<AccountMeters>,
}

impl Member {
    /// Tells the others that this server lives, and learns how many they are and what time it is for all.
    ///
    /// # Errors
    /// Those of the store; what was learned before stays in force.
    pub async fn beat(&self) -> Result<(), StoreError> {
        let began = self.clock.monotonic();
        let heartbeat = self.membership.beat(self.id).await;
        self.meters.note_write(heartbeat.is_ok());
        let Heartbeat { servers, now } = heartbeat?;
        self.meters.divide_rates_among(servers);
        if let Some(now) = now {
            self.clock.follow(now, self.clock.monotonic().saturating_sub(began));
        }
        Ok(())
    }
}

/// Beats, once a second.
pub async fn keep_beating(member: Member, metrics: Arc<Metrics>, stopping: Stopping) {
    let mut ticker = Ticker::every(EVERY, stopping);
    while ticker.next().await {
        // That the store is out of reach is said by the loop that watches it.
        if member.beat().await.is_err() {
            metrics.store_failed();
        }
    }
}
