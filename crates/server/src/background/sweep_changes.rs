//! Removes recorded changes of datasets that are older than `datasets.changes_kept_days`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use kuraka_app::calendar;
use kuraka_ports::Clock;
use kuraka_registry::{changes, dataset};

use super::Job;
use crate::logs;

const EVERY: Duration = Duration::from_secs(3_600);

/// The job that removes old changes, whichever process has recorded them.
pub struct SweepChanges {
    /// The registry's folder.
    pub registry: PathBuf,
    /// `datasets.changes_kept_days`.
    pub kept_days: u32,
    /// Today's date.
    pub clock: Arc<dyn Clock>,
}

impl Job for SweepChanges {
    const NAME: &'static str = "sweep_changes";
    const STALLED_AFTER: Option<Duration> = None;

    fn period(&self) -> Duration {
        EVERY
    }

    async fn tick(&mut self) -> bool {
        let (registry, kept_days, today) = (self.registry.clone(), self.kept_days, calendar::today(self.clock.now()));
        let removed = tokio::task::spawn_blocking(move || {
            let remove = |dataset| changes::remove_old_changes(&registry, dataset, today, kept_days);
            dataset::ALL.iter().try_for_each(|dataset| remove(dataset).map(drop))
        })
        .await;
        match removed {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::error!(cause = logs::chain(&error), "old changes could not be removed");
                false
            }
            // The panic hook has logged it.
            Err(_) => false,
        }
    }
}
