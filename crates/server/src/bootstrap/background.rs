//! Starts the background jobs.

use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::datasets::{DatasetStatuses, EmbeddedRegistry, last_attempt};
use kuraka_app::{DeleteOldRows, History, Recorder, calendar};
use kuraka_panel::Panel;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::accounts::AccountUseCases;
use super::datasets::{dataset_updates, rate_update, updated};
use crate::admin::ServerParts;
use crate::background::{
    DeliverWebhooks, EvictIdle, MeasureService, RefreshDatasets, RunLists, SendHeartbeats, SendMails, SettleLeases,
    Supervisor, SweepChanges, SweepStore, UpdateDataset, UpdateExchangeRates, WatchStore, WriteUsage, pause,
};
use crate::metrics::Metrics;
use crate::settings::Settings;

/// How long the mail server may take for a mail.
const SENT_WITHIN: Duration = Duration::from_secs(30);
/// Between the first updates of two datasets.
const STAGGER: Duration = Duration::from_secs(2);

pub(crate) struct BackgroundJobs {
    /// A task that ends early has failed.
    pub(crate) running: JoinSet<()>,
    stop: watch::Sender<bool>,
}

impl BackgroundJobs {
    pub(crate) fn start(
        settings: &Settings,
        accounts: AccountUseCases,
        panel: &Arc<Panel>,
        registry: &Arc<EmbeddedRegistry>,
        statuses: &Arc<DatasetStatuses>,
        metrics: &Arc<Metrics>,
        parts: &ServerParts,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let AccountUseCases { credentials, meters, usage, sign_in, heartbeat, deliver, store, .. } = accounts;
        let clock = &panel.clock;
        let (stop, stopping) = watch::channel(false);
        let metrics = || Arc::clone(metrics);
        let (health, time) = (Arc::clone(&parts.jobs), Arc::clone(clock));
        let supervisor = Supervisor { health, metrics: metrics(), clock: time, stopping: stopping.clone() };
        let supervisor = || supervisor.clone();
        let mut running = JoinSet::new();
        running.spawn(supervisor().run(WatchStore::new(Arc::clone(&credentials), metrics())));
        running.spawn(supervisor().run(MeasureService {
            recorder: Recorder::new(heartbeat.server),
            history: History::default(),
            store: store.clone(),
            panel: Arc::clone(panel),
            metrics: metrics(),
        }));
        running.spawn(supervisor().run(SendHeartbeats::new(heartbeat, metrics())));
        running.spawn(supervisor().run(SettleLeases { meters: Arc::clone(&meters), metrics: metrics() }));
        running.spawn(supervisor().run(WriteUsage {
            usage: Arc::clone(&usage),
            credentials: Arc::clone(&credentials),
            sign_in: Arc::clone(&sign_in),
            refused_tokens: accounts.refused_tokens,
            audit: store.clone(),
            metrics: metrics(),
        }));
        running.spawn(supervisor().run(EvictIdle { credentials, meters: Arc::clone(&meters) }));
        running.spawn(supervisor().run(RunLists::new(Arc::clone(panel), metrics())));
        let (lists, time) = (Arc::clone(&panel.lists), Arc::clone(clock));
        let old_rows = DeleteOldRows { store: store.clone(), lists, clock: time };
        running.spawn(supervisor().run(SweepStore { old_rows, audit: store.clone(), metrics: metrics() }));
        if let Some(mail) = &settings.mail {
            running.spawn(supervisor().run(SendMails {
                mails: accounts.mails,
                sender: Arc::new(mail.sender(SENT_WITHIN)?),
                public_url: mail.public_url.clone(),
                contact: settings.contact.clone(),
                operator: mail.operator.clone(),
                changes: panel.mail_changes.clone(),
                plans: settings.plans.clone(),
                meters: Arc::clone(&meters),
                datasets: statuses.clone(),
                breakers: parts.breakers.clone(),
                metrics: metrics(),
                refused: HashMap::new(),
                has_more: false,
                stopping: stopping.clone(),
            }));
        }
        if let Some(deliver) = deliver {
            running.spawn(supervisor().run(DeliverWebhooks::new(deliver, metrics())));
        }
        if settings.datasets.is_swept {
            let (folder, kept_days) = (settings.datasets_dir(), settings.datasets.changes_kept_days);
            let sweep_changes = SweepChanges { registry: folder, kept_days, clock: Arc::clone(clock) };
            running.spawn(supervisor().run(sweep_changes));
        }
        if let Some(every) = settings.datasets.update_every {
            let mut delay = Duration::ZERO;
            let is_from_publisher = settings.datasets.builder_url.is_none();
            let updated = updated(settings);
            if updated.iter().any(|dataset| !dataset.has_editions()) {
                let (datasets, clock) = (Arc::clone(statuses), Arc::clone(clock));
                let update = rate_update(settings)?;
                let job = UpdateExchangeRates::new(update, datasets, every, is_from_publisher, clock, stopping.clone());
                running.spawn(supervisor().run(job));
            }
            for update in dataset_updates(settings, &updated)? {
                let (statuses, clock, stopping) = (Arc::clone(statuses), Arc::clone(clock), stopping.clone());
                let dataset = update.dataset();
                let last = last_attempt(&settings.datasets_dir(), dataset).filter(|_| is_from_publisher);
                let every = pause(dataset, every, is_from_publisher);
                let job = UpdateDataset {
                    is_from_builder: !is_from_publisher,
                    past_months: settings.datasets.past_months(dataset, calendar::today(clock.now())),
                    ..UpdateDataset::new(update, statuses, every, delay, last.as_ref(), clock, stopping)
                };
                running.spawn(supervisor().run(job));
                delay += STAGGER;
            }
        }
        let (registry, datasets) = (Arc::clone(registry), Arc::clone(statuses));
        running.spawn(supervisor().run(RefreshDatasets {
            registry,
            datasets,
            audit: store,
            known: Vec::new(),
            metrics: metrics(),
        }));
        Ok(Self { running, stop })
    }

    pub(crate) async fn stop(&mut self) {
        let _ = self.stop.send(true);
        while self.running.join_next().await.is_some() {}
    }
}
