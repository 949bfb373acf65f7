//! Updates the datasets periodically: builds editions from downloads, or fetches the padrón's finished ones.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::registry::fetch::EditionFetch;
use kuraka_adapters::registry::update::DatasetUpdate;
use kuraka_ports::Clock;
use kuraka_registry::{Adoption, NoProgress, PublishResult};

use super::{Job, Stopping};
use crate::logs;

const DAY: Duration = Duration::from_secs(86_400);
/// The pause after the first failure that may pass; it doubles with each, up to the usual pause.
const FIRST_RETRY: Duration = Duration::from_secs(600);

/// The job that updates one dataset when the server starts and then periodically. `RefreshRegistry` serves the editions
/// that this publishes. A failing update does not make the server unready: the edition's age has a metric of its own.
pub struct UpdateRegistry {
    /// Downloads and builds.
    pub update: DatasetUpdate,
    /// `registry.update_every`.
    pub every: Duration,
    /// How long the first update waits, so that the datasets do not start all at once.
    pub delay: Duration,
    /// Failures in a row that may pass; 0 at first.
    pub failures: u32,
    /// The time of the try, and today's date for the edition's label.
    pub clock: Arc<dyn Clock>,
    /// Abandons an update when the server stops.
    pub stopping: Stopping,
}

impl UpdateRegistry {
    /// The pause between two updates that succeed. A file that is not published daily is checked at most once a day.
    fn pause(&self) -> Duration {
        let is_daily = self.update.dataset().rhythm.days() <= 1;
        if is_daily { self.every } else { self.every.max(DAY) }
    }
}

impl Job for UpdateRegistry {
    const NAME: &'static str = "update_registry";
    const STALLED_AFTER: Option<Duration> = None;

    fn period(&self) -> Duration {
        match self.failures {
            0 => self.pause(),
            failures => FIRST_RETRY.saturating_mul(2_u32.saturating_pow(failures - 1)).min(self.pause()),
        }
    }

    async fn tick(&mut self) -> bool {
        let dataset = self.update.dataset().name;
        let work = async {
            tokio::time::sleep(std::mem::take(&mut self.delay)).await;
            self.update.run(self.clock.now(), false, Arc::new(NoProgress)).await
        };
        let result = tokio::select! {
            result = work => result,
            _ = self.stopping.wait_for(|stopping| *stopping) => return false,
        };
        self.failures = match &result {
            Err(error) if error.may_pass() => self.failures.saturating_add(1),
            Ok(_) | Err(_) => 0,
        };
        match result {
            Ok(Some(imported)) => {
                let (edition, rows) = (imported.label(), imported.rows());
                tracing::info!(dataset, edition, rows, "the registry is updated");
                for list in imported.damaged_lists() {
                    tracing::warn!(edition, list, "the edition of a list is damaged: its flags are of an earlier one");
                }
                true
            }
            Ok(None) => {
                tracing::info!(dataset, "the registry is up to date");
                true
            }
            Err(error) => {
                tracing::error!(dataset, cause = logs::chain(&error), "the registry could not be updated");
                false
            }
        }
    }
}

/// The job that fetches the edition which another machine has built, at once and then periodically. `RefreshRegistry`
/// serves it.
pub struct FetchRegistry {
    /// Downloads and adopts.
    pub fetch: EditionFetch,
    /// The address of the edition.
    pub url: String,
    /// The pause between downloads.
    pub period: Duration,
    /// Abandons a download when the server stops.
    pub stopping: Stopping,
}

impl Job for FetchRegistry {
    const NAME: &'static str = "fetch_registry";
    const STALLED_AFTER: Option<Duration> = None;

    fn period(&self) -> Duration {
        self.period
    }

    async fn tick(&mut self) -> bool {
        let result = tokio::select! {
            result = self.fetch.run(&self.url, None, false, &|_, _| {}) => result,
            _ = self.stopping.wait_for(|stopping| *stopping) => return false,
        };
        match result {
            Ok(Some(Adoption { outcome: PublishResult::Published, label, rows, .. })) => {
                tracing::info!(edition = label, rows, "an edition was fetched");
                true
            }
            Ok(Some(_) | None) => {
                tracing::info!("the registry is up to date");
                true
            }
            Err(error) => {
                tracing::error!(cause = logs::chain(&error), "the edition could not be fetched");
                false
            }
        }
    }
}
