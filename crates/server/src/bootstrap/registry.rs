//! Makes the registry and the jobs that keep it up to date.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::download::{self, DownloadLimits, Downloader};
use kuraka_adapters::http::{self, ClientError, ClientLimits};
use kuraka_adapters::registry::EmbeddedRegistry;
use kuraka_adapters::registry::fetch::EditionFetch;
use kuraka_adapters::registry::update::{Addresses, RegistryUpdate};
use kuraka_ports::TaxpayerRegistry;
use kuraka_registry::List;

use crate::logs;
use crate::settings::Settings;

/// What brings the registry up to date. Needs the TLS provider installed.
///
/// # Errors
/// If no HTTP client can be made.
pub fn registry_update(settings: &Settings) -> Result<RegistryUpdate, ClientError> {
    let addresses =
        Addresses { padron: settings.registry.padron_url.clone(), lists: settings.registry.list_urls.clone() };
    Ok(RegistryUpdate::new(settings.registry_dir(), addresses, downloader()?))
}

/// What fetches editions that another machine has built. Needs the TLS provider installed.
///
/// # Errors
/// If no HTTP client can be made.
pub fn edition_fetch(settings: &Settings) -> Result<EditionFetch, ClientError> {
    Ok(EditionFetch::new(settings.registry_dir(), downloader()?))
}

fn downloader() -> Result<Downloader, ClientError> {
    let limits = ClientLimits {
        connect: Duration::from_secs(10),
        read: Duration::from_secs(30),
        // 400 MB over a slow line; a transfer that breaks off is resumed.
        total: Duration::from_secs(4 * 3_600),
    };
    Ok(Downloader::new(http::client(download::USER_AGENT, limits)?, DownloadLimits::default()))
}

/// The registry, and whether an edition was ever published in its folder.
pub(crate) fn open_registry(
    settings: &Settings,
) -> Result<(Arc<EmbeddedRegistry>, bool), Box<dyn Error + Send + Sync>> {
    let (registry, skipped) = EmbeddedRegistry::open(&settings.registry_dir())?;
    for skipped in &skipped {
        let (file, cause) = (skipped.path.display(), logs::chain(&skipped.error));
        tracing::error!(%file, cause, "an edition was passed over");
    }
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
    Ok((Arc::new(registry), edition.is_some() || !skipped.is_empty()))
}
