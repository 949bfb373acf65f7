//! The server's background jobs. Each is a loop that ends when the server stops.

mod evict_idle;
mod refresh_registry;
mod send_heartbeats;
mod settle_leases;
mod sweep_sessions;
mod sweep_tokens;
mod update_registry;
mod watch_store;
mod write_usage;

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior, interval};

pub use evict_idle::evict_idle;
pub(crate) use refresh_registry::report_skipped;
pub use refresh_registry::{record_edition_metrics, refresh_registry};
pub use send_heartbeats::{HeartbeatJob, send_heartbeats};
pub use settle_leases::settle_leases;
pub use sweep_sessions::sweep_sessions;
pub use sweep_tokens::sweep_tokens;
pub use update_registry::{fetch_registry, update_registry};
pub use watch_store::watch_store;
pub use write_usage::write_usage;

/// Becomes true once, when the server stops.
pub type Stopping = watch::Receiver<bool>;

/// The ticks of a loop that ends when the server stops.
struct Ticker {
    ticks: Interval,
    stopping: Stopping,
}

impl Ticker {
    fn every(period: Duration, stopping: Stopping) -> Self {
        let mut ticks = interval(period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { ticks, stopping }
    }

    /// Waits for the next tick. Returns `false` if the server is stopping.
    async fn next(&mut self) -> bool {
        tokio::select! {
            _ = self.ticks.tick() => true,
            _ = self.stopping.changed() => false,
        }
    }
}
