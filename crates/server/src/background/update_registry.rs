//! Keeps the registry up to date: builds editions from downloads, or fetches finished ones.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::registry::fetch::EditionFetch;
use kuraka_adapters::registry::update::{RegistryUpdate, Updated};
use kuraka_app::calendar;
use kuraka_ports::Clock;
use kuraka_registry::{Adoption, NoProgress, Outcome};

use super::{Stopping, Ticker};
use crate::logs;

/// Brings the registry up to date at once, and then every so often. What it publishes is noticed like any edition.
pub async fn update_registry(update: RegistryUpdate, period: Duration, clock: Arc<dyn Clock>, mut stopping: Stopping) {
    let mut ticker = Ticker::every(period, stopping.clone());
    while ticker.next().await {
        let outcome = tokio::select! {
            outcome = update.run(calendar::today(clock.now()), false, Arc::new(NoProgress)) => outcome,
            _ = stopping.changed() => return,
        };
        match outcome {
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

/// Fetches the edition that another machine has built, at once and then every so often. It is noticed like any other.
pub async fn fetch_registry(fetch: EditionFetch, url: String, period: Duration, mut stopping: Stopping) {
    let mut ticker = Ticker::every(period, stopping.clone());
    while ticker.next().await {
        let outcome = tokio::select! {
            outcome = fetch.run(&url, None, false, &|_, _| {}) => outcome,
            _ = stopping.changed() => return,
        };
        match outcome {
            Ok(Some(Adoption { outcome: Outcome::Published, label, rows, .. })) => {
                tracing::info!(edition = label, rows, "an edition was fetched")
            }
            Ok(Some(_) | None) => tracing::info!("the registry is up to date"),
            Err(error) => tracing::error!(cause = logs::chain(&error), "the edition could not be fetched"),
        }
    }
}
