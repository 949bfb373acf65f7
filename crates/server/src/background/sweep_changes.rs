//! Removes change lists older than `datasets.changes_kept_days`, and downloads of killed processes.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::datasets::remove_old_downloads;
use kuraka_app::calendar;
use kuraka_ports::Clock;
use kuraka_registry::changes::remove_old_changes;
use kuraka_registry::dataset;
use kuraka_registry::history::HistoryError;
use kuraka_registry::update_records;

use super::Job;
use crate::logs;

pub struct SweepChanges {
    pub registry: PathBuf,
    pub kept_days: u32,
    pub clock: Arc<dyn Clock>,
}

impl Job for SweepChanges {
    const NAME: &'static str = "sweep_changes";
    const STALLED_AFTER: Option<Duration> = None;
    const EVERY: Duration = Duration::from_secs(3_600);

    async fn tick(&mut self) -> bool {
        let (registry, kept_days, now) = (self.registry.clone(), self.kept_days, self.clock.now());
        let removed = tokio::task::spawn_blocking(move || {
            let today = calendar::today(now);
            remove_old_downloads(&registry, now);
            dataset::ALL.iter().try_for_each(|dataset| {
                let removed = remove_old_changes(&registry, dataset, today, kept_days).map_err(HistoryError::from);
                removed.and_then(|_| update_records(&registry, dataset)).map_err(|error| (dataset.name, error))
            })
        })
        .await;
        match removed {
            Ok(Ok(())) => true,
            Ok(Err((dataset, error))) => {
                let cause = logs::chain(&error);
                tracing::error!(dataset, cause, "the change log of a dataset could not be brought up to date");
                false
            }
            // The panic hook has logged it.
            Err(_) => false,
        }
    }
}
