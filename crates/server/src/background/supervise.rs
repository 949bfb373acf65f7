//! Runs a background job until the server stops: contains its panics, notices when it hangs, and records its successes.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use kuraka_ports::Clock;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::{Job, JobHealth, Stopping};
use crate::metrics::Metrics;

/// The pause after a panic, so that a job that always panics does not fill the log.
const RESTART_AFTER: Duration = Duration::from_secs(1);
/// A tick that takes longer than this is logged, if the job has no limit of its own.
const SLOW_AFTER: Duration = Duration::from_secs(3_600);

/// What the supervision of every job shares.
#[derive(Clone)]
pub struct Supervisor {
    /// Records the successes, for `/readyz`.
    pub health: Arc<JobHealth>,
    /// Records the successes and panics, for `/metrics`.
    pub metrics: Arc<Metrics>,
    /// The time of a success.
    pub clock: Arc<dyn Clock>,
    /// Becomes true when the server stops.
    pub stopping: Stopping,
}

impl Supervisor {
    /// Runs a job until the server stops.
    pub async fn run<J: Job>(mut self, mut job: J) {
        self.health.add(J::NAME, J::STALLED_AFTER);
        self.metrics.add_job(J::NAME);
        let mut next = Instant::now();
        loop {
            tokio::select! {
                () = sleep_until(next) => {}
                _ = self.stopping.changed() => break,
            }
            let began = Instant::now();
            match self.tick(&mut job).await {
                Some(true) => {
                    self.health.succeeded(J::NAME);
                    self.metrics.record_job_success(J::NAME, self.clock.now().as_second());
                }
                // The job has logged why.
                Some(false) => {}
                None => {
                    self.metrics.record_job_panic(J::NAME);
                    tracing::error!(job = J::NAME, "a background job panicked and is started again");
                    tokio::select! {
                        () = sleep(RESTART_AFTER) => {}
                        _ = self.stopping.changed() => break,
                    }
                }
            }
            next = began + job.period();
        }
        let _ = AssertUnwindSafe(job.finish()).catch_unwind().await;
    }

    /// Runs one tick; `None` if it panics. A tick that hangs is logged, but not stopped: it may hold a lease.
    async fn tick<J: Job>(&self, job: &mut J) -> Option<bool> {
        let mut tick = pin!(AssertUnwindSafe(async { job.tick().await }).catch_unwind());
        let limit = J::STALLED_AFTER.unwrap_or(SLOW_AFTER);
        let done = match timeout(limit, &mut tick).await {
            Ok(done) => done,
            Err(_) => {
                tracing::error!(job = J::NAME, seconds = limit.as_secs(), "a background job takes too long");
                tick.await
            }
        };
        done.ok()
    }
}
