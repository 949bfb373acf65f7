//! Delivers changes to webhooks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kuraka_app::DeliverChanges;
use kuraka_app::webhooks::{CompletedAttempt, DeliverError};
use kuraka_ports::{AfterAttempt, LeasedWebhook};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Job;
use crate::logs;
use crate::metrics::Metrics;

/// 15 seconds.
const TICKS_PER_COUNT: u64 = 30;
/// How long a stopping server waits for attempts. Another server, or the next start, repeats the others.
const FINISH_WITHIN: Duration = Duration::from_secs(3);

pub struct DeliverWebhooks {
    worker: Worker,
    running: JoinSet<()>,
}

#[derive(Clone)]
struct Worker {
    changes: DeliverChanges,
    metrics: Arc<Metrics>,
    stopping: Arc<AtomicBool>,
}

impl DeliverWebhooks {
    pub fn new(changes: DeliverChanges, metrics: Arc<Metrics>) -> Self {
        let worker = Worker { changes, metrics, stopping: Arc::default() };
        Self { worker, running: JoinSet::new() }
    }

    /// Starts workers until no webhook is due or all permits are taken. A webhook whose delivery panics waits until its
    /// lease ends.
    async fn start(&mut self) -> Result<(), DeliverError> {
        while let Some(ended) = self.running.try_join_next() {
            if ended.is_err() {
                self.worker.metrics.record_job_panic(Self::NAME);
            }
        }
        while let Ok(permit) = self.worker.changes.notifier.limits.try_permit()
            && let Some(leased) = self.worker.changes.lease().await?
        {
            self.running.spawn(self.worker.clone().deliver(leased, permit));
        }
        Ok(())
    }

    async fn count(&self, number: u64) -> Result<(), DeliverError> {
        if number.is_multiple_of(TICKS_PER_COUNT) {
            let (counts, age) = self.worker.changes.count().await?;
            self.worker.metrics.webhooks.set(counts.disabled, age);
        }
        Ok(())
    }
}

impl Worker {
    /// Delivers to a webhook, then to others while one is due.
    async fn deliver(self, leased: LeasedWebhook, permit: OwnedSemaphorePermit) {
        let mut next = Some((leased, permit));
        while let Some((leased, permit)) = next {
            next = match self.attempt(&leased, permit).await {
                Ok(next) => next,
                Err(error) => return self.report(&error),
            };
        }
    }

    /// Returns the next webhook. Waiting tests come before it.
    async fn attempt(
        &self,
        leased: &LeasedWebhook,
        permit: OwnedSemaphorePermit,
    ) -> Result<Option<(LeasedWebhook, OwnedSemaphorePermit)>, DeliverError> {
        if let Some(CompletedAttempt { webhook, result, then }) = self.changes.deliver(leased).await? {
            self.metrics.webhooks.record(&result);
            if let AfterAttempt::Disable(status) = then {
                tracing::warn!(%webhook, status = status.as_str(), "a webhook is disabled");
            }
        }
        drop(permit);
        let Ok(permit) = self.changes.notifier.limits.permit().await else { return Ok(None) };
        if self.stopping.load(Ordering::Acquire) {
            return Ok(None);
        }
        Ok(self.changes.lease().await?.map(|next| (next, permit)))
    }

    fn report(&self, error: &DeliverError) {
        if matches!(error, DeliverError::Store(_)) {
            self.metrics.store_errors.inc();
            // `watch_store` reports an outage once.
            return tracing::debug!(cause = logs::chain(error), "webhooks could not be delivered");
        }
        tracing::warn!(cause = logs::chain(error), "webhooks could not be delivered");
    }
}

impl Job for DeliverWebhooks {
    const NAME: &'static str = "deliver_webhooks";
    const EVERY: Duration = Duration::from_millis(500);

    async fn tick(&mut self, number: u64) -> bool {
        let mut done = self.start().await;
        if done.is_ok() {
            done = self.count(number).await;
        }
        if let Err(error) = &done {
            self.worker.report(error);
        }
        done.is_ok()
    }

    async fn finish(&mut self) {
        self.worker.stopping.store(true, Ordering::Release);
        let _ = timeout(FINISH_WITHIN, async { while self.running.join_next().await.is_some() {} }).await;
    }
}
