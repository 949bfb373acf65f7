//! Builds the use cases of webhooks, and writes the bodies of deliveries.

use std::sync::Arc;

use jiff::{Timestamp, Unit};
use kuraka_adapters::datasets::FolderFeed;
use kuraka_adapters::http::ClientError;
use kuraka_adapters::store::Store;
use kuraka_adapters::webhooks::{GuardedSender, Networks, SystemResolver};
use kuraka_app::Notifier;
use kuraka_app::webhooks::WebhookContent;
use kuraka_ports::Clock;
use tokio::runtime::Handle;

use crate::settings::Settings;

/// The use cases of webhooks on this store.
///
/// # Errors
/// If no HTTP client can be made.
pub fn notifier(settings: &Settings, store: &Arc<dyn Store>, clock: Arc<dyn Clock>) -> Result<Notifier, ClientError> {
    let networks = Networks::with(&settings.webhooks.allowed_networks);
    let feed = FolderFeed::new(&settings.datasets_dir(), &settings.datasets.enabled);
    Ok(Notifier {
        store: store.clone(),
        watched: store.clone(),
        feed: Arc::new(feed),
        sender: Arc::new(GuardedSender::new(networks, Arc::new(SystemResolver), Arc::clone(&clock))?),
        clock,
        random: getrandom::fill,
        write,
        runtime: Handle::current(),
    })
}
