//! Starts the background jobs.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::registry::{EmbeddedRegistry, last_attempt};
use kuraka_ports::Clock;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::accounts::AccountUseCases;
use super::registry::{dataset_updates, edition_fetch, updated};
use crate::background::{
    EvictIdle, FetchRegistry, JobHealth, RefreshRegistry, SendHeartbeats, SettleLeases, Supervisor, SweepChanges,
    SweepSessions, SweepTokens, UpdateRegistry, WatchStore, WriteUsage, after_failure,
};
use crate::datasets::ServedDatasets;
use crate::metrics::Metrics;
use crate::settings::Settings;

/// The time between the first updates of two datasets.
const STAGGER: Duration = Duration::from_secs(2);

/// The running background jobs.
pub(crate) struct BackgroundJobs {
    /// A task that ends before the jobs are stopped has failed.
    pub(crate) running: JoinSet<()>,
    stop: watch::Sender<bool>,
}

impl BackgroundJobs {
    /// Starts every job that the settings enable.
    pub(crate) fn start(
        settings: &Settings,
        accounts: AccountUseCases,
        registry: &Arc<EmbeddedRegistry>,
        datasets: &Arc<ServedDatasets>,
        metrics: &Arc<Metrics>,
        health: &Arc<JobHealth>,
        clock: &Arc<dyn Clock>,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let AccountUseCases { credentials, meters, usage, sign_in, own_tokens, heartbeat } = accounts;
        let (stop, stopping) = watch::channel(false);
        let metrics = || Arc::clone(metrics);
        let (health, time) = (Arc::clone(health), Arc::clone(clock));
        let supervisor = Supervisor { health, metrics: metrics(), clock: time, stopping: stopping.clone() };
        let supervisor = || supervisor.clone();
        let mut running = JoinSet::new();
        running.spawn(supervisor().run(WatchStore::new(Arc::clone(&credentials), metrics())));
        running.spawn(supervisor().run(SendHeartbeats::new(heartbeat, metrics())));
        running.spawn(supervisor().run(SettleLeases { meters: Arc::clone(&meters), metrics: metrics() }));
        running.spawn(supervisor().run(WriteUsage::new(usage, Arc::clone(&credentials), metrics())));
        running.spawn(supervisor().run(EvictIdle::new(credentials, meters)));
        running.spawn(supervisor().run(SweepSessions { sign_in, metrics: metrics() }));
        running.spawn(supervisor().run(SweepTokens { own_tokens, metrics: metrics() }));
        let (folder, kept_days) = (settings.registry_dir(), settings.datasets.changes_kept_days);
        let sweep_changes = SweepChanges { registry: folder, kept_days, clock: Arc::clone(clock) };
        running.spawn(supervisor().run(sweep_changes));
        if let Some(every) = settings.registry.update_every {
            if let Some(url) = settings.registry.edition_url.clone() {
                let (fetch, clock, stopping) = (edition_fetch(settings)?, Arc::clone(clock), stopping.clone());
                running.spawn(supervisor().run(FetchRegistry { fetch, url, period: every, clock, stopping }));
            }
            let mut delay = Duration::ZERO;
            for update in dataset_updates(settings, &updated(settings))? {
                let (clock, stopping) = (Arc::clone(clock), stopping.clone());
                let last = last_attempt(&settings.registry_dir(), update.dataset());
                let job = UpdateRegistry {
                    update,
                    every,
                    delay: delay.max(after_failure(last.as_ref(), clock.now())),
                    failures: 0,
                    asked: Duration::ZERO,
                    clock,
                    stopping,
                };
                running.spawn(supervisor().run(job));
                delay += STAGGER;
            }
        }
        let (registry, datasets, clock) = (Arc::clone(registry), Arc::clone(datasets), Arc::clone(clock));
        running.spawn(supervisor().run(RefreshRegistry { registry, datasets, metrics: metrics(), clock, ticks: 0 }));
        Ok(Self { running, stop })
    }

    /// Stops every job and waits until all have ended.
    pub(crate) async fn stop(&mut self) {
        let _ = self.stop.send(true);
        while self.running.join_next().await.is_some() {}
    }
}
