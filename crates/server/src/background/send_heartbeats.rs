//! Writes a heartbeat twice a second: other servers see that this one is alive, and this one whether the store takes
//! writes.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::clock::FollowingClock;
use kuraka_adapters::store::Store;
use kuraka_app::AccountMeters;
use kuraka_ports::{Clock, Heartbeat, ServerId, StoreError};

use super::Job;
use crate::logs;
use crate::metrics::Metrics;

pub struct HeartbeatJob {
    pub server: ServerId,
    pub membership: Arc<dyn Store>,
    pub clock: Arc<FollowingClock>,
    pub meters: Arc<AccountMeters>,
}

impl HeartbeatJob {
    /// Sends a heartbeat, and applies the number of servers and the time in the store's answer.
    ///
    /// # Errors
    /// [`StoreError`]; the previous number and time stay.
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

pub struct SendHeartbeats {
    heartbeat: HeartbeatJob,
    metrics: Arc<Metrics>,
    takes_writes: bool,
}

impl SendHeartbeats {
    /// `metrics` counts failures.
    pub const fn new(heartbeat: HeartbeatJob, metrics: Arc<Metrics>) -> Self {
        Self { heartbeat, metrics, takes_writes: true }
    }
}

impl Job for SendHeartbeats {
    const NAME: &'static str = "send_heartbeats";
    const STALLED_AFTER: Option<Duration> = Some(Duration::from_secs(10));
    /// A server is unready within this time plus a write's wait after the store stopped taking writes.
    const EVERY: Duration = Duration::from_millis(500);

    async fn tick(&mut self, _: u64) -> bool {
        let sent = self.heartbeat.send().await;
        let took_writes = mem::replace(&mut self.takes_writes, sent.is_ok());
        match &sent {
            Ok(()) if took_writes => {}
            Ok(()) => tracing::info!("the store takes writes again"),
            Err(error) => {
                self.metrics.store_errors.inc();
                // Once per outage.
                if took_writes {
                    tracing::error!(cause = logs::chain(error), "the store takes no writes");
                }
            }
        }
        sent.is_ok()
    }
}
