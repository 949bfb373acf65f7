//! Looks up the items of the lists that accounts keep.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kuraka_panel::Panel;
use kuraka_ports::StoreError;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::Job;
use crate::logs;
use crate::metrics::{Kind, Metrics};

/// Runs of a server at the same time.
const AT_ONCE: usize = 4;
/// Two seconds: how often the store is asked for runs that other servers have left.
const TICKS_PER_LOOK: u64 = 8;
/// How long a stopping server waits for the batches in progress. Another server, or the next start, repeats them.
const FINISH_WITHIN: Duration = Duration::from_secs(2);

pub struct RunLists {
    panel: Arc<Panel>,
    metrics: Arc<Metrics>,
    stopping: Arc<AtomicBool>,
    running: JoinSet<Result<(), StoreError>>,
}

impl RunLists {
    pub fn new(panel: Arc<Panel>, metrics: Arc<Metrics>) -> Self {
        Self { panel, metrics, stopping: Arc::default(), running: JoinSet::new() }
    }

    async fn start(&mut self, number: u64) -> Result<(), StoreError> {
        let mut ended = Ok(());
        while let Some(run) = self.running.try_join_next() {
            match run {
                Ok(Ok(())) => {}
                Ok(Err(error)) => ended = Err(error),
                Err(_) => self.metrics.record_job_panic(Self::NAME),
            }
        }
        let is_due = self.panel.lists.take_wake() || number.is_multiple_of(TICKS_PER_LOOK);
        while is_due
            && self.running.len() < AT_ONCE
            && let Some(leased) = self.panel.lists.lease().await?
        {
            let (panel, metrics, stopping) =
                (Arc::clone(&self.panel), Arc::clone(&self.metrics), Arc::clone(&self.stopping));
            self.running.spawn(async move {
                let is_stopping = || stopping.load(Ordering::Acquire);
                let charged = |call, queries| metrics.record_charge(Kind::from_operation(call), queries);
                panel.run_list(leased, is_stopping, charged).await
            });
        }
        ended
    }
}

impl Job for RunLists {
    const NAME: &'static str = "run_lists";
    const EVERY: Duration = Duration::from_millis(250);

    async fn tick(&mut self, number: u64) -> bool {
        let done = self.start(number).await;
        if let Err(error) = &done {
            self.metrics.store_errors.inc();
            tracing::warn!(cause = logs::chain(error), "a list could not be looked up");
        }
        done.is_ok()
    }

    async fn finish(&mut self) {
        self.stopping.store(true, Ordering::Release);
        let _ = timeout(FINISH_WITHIN, async { while self.running.join_next().await.is_some() {} }).await;
    }
}
