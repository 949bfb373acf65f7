//! Opens the registry, and builds the jobs that update it.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::download::{self, DownloadLimits, Downloader};
use kuraka_adapters::http::{self, ClientError, ClientLimits};
use kuraka_adapters::registry::EmbeddedRegistry;
use kuraka_adapters::registry::fetch::EditionFetch;
use kuraka_adapters::registry::update::DatasetUpdate;
use kuraka_ports::TaxpayerRegistry;
use kuraka_registry::List;
use kuraka_registry::dataset::Dataset;
use tokio::sync::Semaphore;

use crate::background;
use crate::settings::Settings;

/// The datasets that this server, or `kuraka dataset update` without a name, builds from downloads. One that fetches the
/// padrón's finished editions downloads only what the operator gave it an address of.
#[must_use]
pub fn updated(settings: &Settings) -> Vec<&'static Dataset> {
    let is_fetched = settings.registry.edition_url.is_some();
    let is_updated = |dataset: &&Dataset| {
        let is_ours = !is_fetched || !dataset.is_padron() && settings.datasets.has_own_url(dataset);
        is_ours && !settings.datasets.url(dataset).is_empty()
    };
    let mut updated: Vec<_> = settings.datasets.enabled.iter().copied().filter(is_updated).collect();
    in_order_of_update(&mut updated);
    updated
}

/// Orders datasets for an update: the lists come first, because the padrón's importer takes its flags from them.
pub fn in_order_of_update(datasets: &mut [&'static Dataset]) {
    datasets.sort_by_key(|dataset| List::ALL.iter().all(|list| list.dataset().name != dataset.name));
}

/// Builds editions of these datasets from their published files. One at a time is imported. Requires an installed TLS
/// provider.
///
/// # Errors
/// If no HTTP client can be created.
pub fn dataset_updates(settings: &Settings, datasets: &[&'static Dataset]) -> Result<Vec<DatasetUpdate>, ClientError> {
    let (downloader, turns) = (downloader()?, Arc::new(Semaphore::new(1)));
    let update = |dataset: &&'static Dataset| {
        let address = settings.datasets.url(dataset).to_owned();
        DatasetUpdate::new(settings.registry_dir(), dataset, address, &downloader, Arc::clone(&turns))
    };
    Ok(datasets.iter().map(update).collect())
}

/// Fetches editions that another machine has built. Requires an installed TLS provider.
///
/// # Errors
/// If no HTTP client can be created.
pub fn edition_fetch(settings: &Settings) -> Result<EditionFetch, ClientError> {
    let checksum_url = settings.registry.edition_sha256_url.clone();
    Ok(EditionFetch::new(settings.registry_dir(), downloader()?, checksum_url))
}

fn downloader() -> Result<Downloader, ClientError> {
    let limits = ClientLimits {
        connect: Duration::from_secs(10),
        read: Duration::from_secs(30),
        // Long enough for 400 MB over a slow connection; an interrupted transfer is resumed.
        total: Duration::from_secs(4 * 3_600),
    };
    Ok(Downloader::new(http::client(download::USER_AGENT, limits)?, DownloadLimits::default()))
}

/// Opens the registry.
pub(crate) fn open_registry(settings: &Settings) -> Result<Arc<EmbeddedRegistry>, Box<dyn Error + Send + Sync>> {
    let (registry, skipped) = EmbeddedRegistry::open_with(&settings.registry_dir(), &settings.datasets.enabled)?;
    background::report_skipped(&skipped);
    let edition = registry.edition();
    match &edition {
        Some(edition) => {
            tracing::info!(edition = &*edition.label, "the registry is open");
            for list in List::ALL.iter().filter(|list| !edition.has_list(list.code)) {
                tracing::warn!(list = list.title, "the list was never imported: its flag is answered NO");
            }
        }
        None => tracing::warn!("the registry has no edition: run kuraka registry update, or import or fetch one"),
    }
    Ok(Arc::new(registry))
}
