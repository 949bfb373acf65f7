//! Runs a job until the server stops: contains its panics, notices when it hangs, and records its successes.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use kuraka_ports::Clock;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::{Job, JobHealth, Stopping};
use crate::metrics::Metrics;

/// Keeps a job that always panics from filling the log.
const RESTART_AFTER: Duration = Duration::from_secs(1);
/// A longer tick is logged, if the job has no limit of its own.
const SLOW_AFTER: Duration = Duration::from_secs(3_600);

#[derive(Clone)]
pub struct Supervisor {
    pub health: Arc<JobHealth>,
    pub metrics: Arc<Metrics>,
    pub clock: Arc<dyn Clock>,
    pub stopping: Stopping,
}

impl Supervisor {
    pub async fn run<J: Job>(mut self, mut job: J) {
        self.health.add(J::NAME, J::STALLED_AFTER);
        self.metrics.add_job(J::NAME);
        let mut next = Instant::now();
        for number in 0.. {
            tokio::select! {
                () = sleep_until(next) => {}
                () = job.woken() => {}
                _ = self.stopping.changed() => break,
            }
            let began = Instant::now();
            let done = self.tick(&mut job, number).await;
            // An attempt that fails after an hour is not repeated at once.
            let counted_from = if done == Some(true) { began } else { Instant::now() };
            match done {
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
            next = counted_from + job.period();
        }
        let _ = AssertUnwindSafe(job.finish()).catch_unwind().await;
    }

    /// `None` = the tick panicked. A hanging tick is logged but not stopped: it may hold a lease.
    async fn tick<J: Job>(&self, job: &mut J, number: u64) -> Option<bool> {
        let mut tick = pin!(AssertUnwindSafe(async { job.tick(number).await }).catch_unwind());
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
