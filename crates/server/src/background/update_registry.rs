//! Updates the registry periodically: builds editions from downloads, or fetches finished ones.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::registry::fetch::EditionFetch;
use kuraka_adapters::registry::update::{RegistryUpdate, Updated};
use kuraka_app::calendar;
use kuraka_ports::Clock;
use kuraka_registry::{Adoption, NoProgress, PublishResult};

use super::{Stopping, Ticker};
use crate::logs;

/// Updates the registry at once and then every `period`. `refresh_registry` serves the editions that this publishes.
pub async fn update_registry(update: RegistryUpdate, period: Duration, clock: Arc<dyn Clock>, mut stopping: Stopping) {
    let mut ticker = Ticker::every(period, stopping.clone());
    while ticker.next().await {
        let result = tokio::select! {
            result = update.run(calendar::today(clock.now()), false, Arc::new(NoProgress)) => result,
            _ = stopping.changed() => return,
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
            }
            Err(error) => tracing::error!(cause = logs::chain(&error), "the registry could not be updated"),
        }
    }
}

/// Fetches the edition that another machine has built, at once and then every `period`. `refresh_registry` serves it.
pub async fn fetch_registry(fetch: EditionFetch, url: String, period: Duration, mut stopping: Stopping) {
    let mut ticker = Ticker::every(period, stopping.clone());
    while ticker.next().await {
        let result = tokio::select! {
            result = fetch.run(&url, None, false, &|_, _| {}) => result,
            _ = stopping.changed() => return,
        };
        match result {
            Ok(Some(Adoption { outcome: PublishResult::Published, label, rows, .. })) => {
                tracing::info!(edition = label, rows, "an edition was fetched")
            }
            Ok(Some(_) | None) => tracing::info!("the registry is up to date"),
            Err(error) => tracing::error!(cause = logs::chain(&error), "the edition could not be fetched"),
        }
    }
}
