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
    const EVERY: Duration = Duration::from_secs(3_600);

    async fn tick(&mut self, _: u64) -> bool {
        let (registry, kept_days, now) = (self.registry.clone(), self.kept_days, self.clock.now());
        let swept = tokio::task::spawn_blocking(move || {
            let today = calendar::today(now);
            remove_old_downloads(&registry, now);
            let mut is_up_to_date = true;
            for dataset in dataset::ALL {
                let removed = remove_old_changes(&registry, dataset, today, kept_days).map_err(HistoryError::from);
                if let Err(error) = removed.and_then(|_| update_records(&registry, dataset)) {
                    let (dataset, cause) = (dataset.name, logs::chain(&error));
                    tracing::error!(dataset, cause, "the change log of a dataset could not be brought up to date");
                    is_up_to_date = false;
                }
            }
            is_up_to_date
        });
        // The panic hook has logged a panic.
        swept.await.unwrap_or(false)
    }
}
