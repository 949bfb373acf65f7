//! Writes a heartbeat to the store every second, so that the other servers on the store know that this one is alive.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::clock::FollowingClock;
use kuraka_adapters::store::Store;
use kuraka_app::AccountMeters;
use kuraka_ports::{Clock, Heartbeat, ServerId, StoreError};

use super::Job;
use crate::metrics::Metrics;

const EVERY: Duration = Duration::from_secs(1);

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

/// The job that sends heartbeats.
pub struct SendHeartbeats {
    /// Sends one.
    pub heartbeat: HeartbeatJob,
    /// Counts failures.
    pub metrics: Arc<Metrics>,
}

impl Job for SendHeartbeats {
    const NAME: &'static str = "send_heartbeats";
    const STALLED_AFTER: Option<Duration> = Some(Duration::from_secs(10));

    fn period(&self) -> Duration {
        EVERY
    }

    async fn tick(&mut self) -> bool {
        // `watch_store` logs that the store is unavailable.
        let sent = self.heartbeat.send().await.is_ok();
        if !sent {
            self.metrics.record_store_error();
        }
        sent
    }
}
