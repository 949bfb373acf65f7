//! Updates the registry periodically: builds editions from downloads, or fetches finished ones.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::registry::fetch::EditionFetch;
use kuraka_adapters::registry::update::{RegistryUpdate, Updated};
use kuraka_app::calendar;
use kuraka_ports::Clock;
use kuraka_registry::{Adoption, NoProgress, PublishResult};

use super::{Job, Stopping};
use crate::logs;

/// The job that updates the registry at once and then periodically. `RefreshRegistry` serves the editions that this
/// publishes. A failing update does not make the server unready: the edition's age has a metric of its own.
pub struct UpdateRegistry {
    /// Downloads and builds.
    pub update: RegistryUpdate,
    /// The pause between updates.
    pub period: Duration,
    /// Today's date, for the edition's label.
    pub clock: Arc<dyn Clock>,
    /// Abandons an update when the server stops.
    pub stopping: Stopping,
}

impl Job for UpdateRegistry {
    const NAME: &'static str = "update_registry";
    const STALLED_AFTER: Option<Duration> = None;

    fn period(&self) -> Duration {
        self.period
    }

    async fn tick(&mut self) -> bool {
        let result = tokio::select! {
            result = self.update.run(calendar::today(self.clock.now()), false, Arc::new(NoProgress)) => result,
            _ = self.stopping.wait_for(|stopping| *stopping) => return false,
        };
        match result {
            Ok(Updated { imported, missing_lists }) => {
                for (list, error) in &missing_lists {
                    tracing::warn!(list = list.title, cause = logs::chain(error), "the list is carried over as it was");
                }
                match imported {
                    Some(report) => {
                        tracing::info!(edition = report.label, rows = report.rows, "the registry is updated")
                    }
                    None => tracing::info!("the registry is up to date"),
                }
                true
            }
            Err(error) => {
                tracing::error!(cause = logs::chain(&error), "the registry could not be updated");
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
