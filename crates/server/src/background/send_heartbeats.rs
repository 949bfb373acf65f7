//! Writes a heartbeat to the store twice a second, so that the other servers on the store know that this one is alive,
//! and this one knows whether the store takes writes.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::clock::FollowingClock;
use kuraka_adapters::store::Store;
use kuraka_app::AccountMeters;
use kuraka_ports::{Clock, Heartbeat, ServerId, StoreError};

use super::{Stopping, Ticker};
use crate::logs;
use crate::metrics::Metrics;

/// A server is not ready within this time, plus the time that a write waits, after the store stopped taking writes.
const EVERY: Duration = Duration::from_millis(500);

/// The heartbeat of this server among those that share its store.
pub struct HeartbeatJob {
    /// The id of this run of the server.
    pub server: ServerId,
    /// Receives the heartbeats of all servers.
    pub membership: Arc<dyn Store>,
    /// Is set to the store's time.
    pub clock: Arc<FollowingClock>,
    /// Divides the accounts' rates among the servers.
    pub meters: Arc<AccountMeters>,
}

impl HeartbeatJob {
    /// Sends one heartbeat. The store answers with the number of servers and its time, which this applies.
    ///
    /// # Errors
    /// Those of the store. The previous number of servers and time stay in use.
    pub async fn send(&self) -> Result<(), StoreError> {
        let began = self.clock.monotonic();
        let heartbeat = self.membership.beat(self.server).await;
        self.meters.note_write(heartbeat.is_ok());
        let Heartbeat { servers, now } = heartbeat?;
        self.meters.divide_rates_among(servers);
        if let Some(now) = now {
            self.clock.follow(now, self.clock.monotonic().saturating_sub(began));
        }
        Ok(())
    }
}

/// Sends heartbeats until the server stops.
pub async fn send_heartbeats(job: HeartbeatJob, metrics: Arc<Metrics>, stopping: Stopping) {
    let mut ticker = Ticker::every(EVERY, stopping);
    let mut takes_writes = true;
    while ticker.next().await {
        match job.send().await {
            Ok(()) => {
                if !std::mem::replace(&mut takes_writes, true) {
                    tracing::info!("the store takes writes again");
                }
            }
            Err(error) => {
                metrics.record_store_error();
                // Log once per outage, not twice a second.
                if std::mem::replace(&mut takes_writes, false) {
                    tracing::error!(cause = logs::chain(&error), "the store takes no writes");
                }
            }
        }
    }
}
