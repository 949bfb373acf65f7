//! Opens the registry, and builds the datasets' updates.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_adapters::datasets::exchange_rates::RateUpdate;
use kuraka_adapters::datasets::update::{DatasetUpdate, UpdateSource};
use kuraka_adapters::download::{self, DownloadLimits, Downloader};
use kuraka_adapters::http::{self, ClientError, ClientLimits};
use kuraka_ports::TaxpayerRegistry;
use kuraka_registry::Accepts;
use kuraka_registry::dataset::{Dataset, TIPO_DE_CAMBIO};
use tokio::sync::Semaphore;

use crate::background;
use crate::settings::Settings;

/// The datasets that this server, or `kuraka dataset update`, fetches.
pub fn updated(settings: &Settings) -> Vec<&'static Dataset> {
    let enabled = settings.datasets.enabled.iter().copied();
    enabled.filter(|dataset| !update_source(settings, dataset).address.is_empty()).collect()
}

/// A builder or the publisher.
pub fn update_source(settings: &Settings, dataset: &Dataset) -> UpdateSource {
    let datasets = &settings.datasets;
    let sha256_url = datasets.sha256_url(dataset).map(str::to_owned);
    match datasets.edition_url(dataset) {
        Some(address) => {
            let changes_url = Some(format!("{address}/changes"));
            UpdateSource { address, plain_address: None, accepts: Accepts::Edition, changes_url, sha256_url }
        }
        None => {
            let plain_address = datasets.plain_url(dataset).map(str::to_owned);
            let address = datasets.url(dataset).to_owned();
            UpdateSource { address, plain_address, accepts: Accepts::Published, changes_url: None, sha256_url }
        }
    }
}

/// Updates these datasets, except the exchange rates, importing one at a time. Requires an installed TLS provider.
///
/// # Errors
/// If no HTTP client can be created.
pub fn dataset_updates(settings: &Settings, datasets: &[&'static Dataset]) -> Result<Vec<DatasetUpdate>, ClientError> {
    let (downloader, turns) = (downloader()?, Arc::new(Semaphore::new(1)));
    let update = |dataset: &&'static Dataset| {
        let (folder, source) = (settings.datasets_dir(), update_source(settings, dataset));
        DatasetUpdate::new(folder, dataset, source, &downloader, Arc::clone(&turns))
    };
    Ok(datasets.iter().filter(|dataset| dataset.has_editions()).map(update).collect())
}

/// Updates the exchange rates. Requires an installed TLS provider.
///
/// # Errors
/// If no HTTP client can be created.
pub fn rate_update(settings: &Settings) -> Result<RateUpdate, ClientError> {
    let (source, series_url) = (update_source(settings, &TIPO_DE_CAMBIO), settings.datasets.series_url.clone());
    Ok(RateUpdate::new(settings.datasets_dir(), source, series_url, &downloader()?))
}

fn downloader() -> Result<Downloader, ClientError> {
    let limits = ClientLimits {
        connect: Duration::from_secs(10),
        read: Duration::from_secs(30),
        // Enough for 400 MB over a slow connection; an interrupted transfer is resumed.
        total: Duration::from_secs(4 * 3_600),
    };
    Ok(Downloader::new(http::client(download::USER_AGENT, limits)?, DownloadLimits::default()))
}

/// The maximum age in days of each limited dataset.
pub fn max_age_days(settings: &Settings) -> BTreeMap<&'static str, u32> {
    let limit = |dataset: &&'static Dataset| Some((dataset.name, settings.datasets.max_age_days(dataset)?));
    settings.datasets.enabled.iter().filter_map(limit).collect()
}

pub(crate) fn open_registry(settings: &Settings) -> Result<Arc<EmbeddedRegistry>, Box<dyn Error + Send + Sync>> {
    let (registry, skipped) = EmbeddedRegistry::open_with(&settings.datasets_dir(), &settings.datasets.enabled)?;
    background::report_skipped(&skipped);
    match registry.edition() {
        Some(edition) => tracing::info!(edition = &*edition.label, "the registry is open"),
        None if settings.datasets.update_every.is_some() => {
            tracing::warn!("there is no edition of the padrón yet: the server fetches the datasets now");
        }
        None => tracing::warn!("there is no edition of the padrón: run kuraka dataset update, or import a file"),
    }
    for (dataset, state, _) in registry.states() {
        tracing::debug!(dataset = dataset.name, state = state.as_str(), "a dataset");
    }
    Ok(Arc::new(registry))
}
