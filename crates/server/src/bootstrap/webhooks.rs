//! Builds the use cases of webhooks.

use std::sync::Arc;

use kuraka_adapters::datasets::{FolderFeed, MinuteFeed};
use kuraka_adapters::http::ClientError;
use kuraka_adapters::store::Store;
use kuraka_adapters::webhooks::{GuardedSender, Networks, SystemResolver};
use kuraka_app::Notifier;
use kuraka_app::webhooks::attempts;
use kuraka_domain::Ruc;
use kuraka_ports::{ChangeFeed, Clock};
use tokio::runtime::Handle;

use crate::http::webhook_body;
use crate::settings::Settings;

/// The feed of changes. One per server, because it has a cache.
pub fn feed(settings: &Settings) -> Arc<dyn ChangeFeed> {
    Arc::new(FolderFeed::new(&settings.datasets_dir(), &settings.datasets.enabled))
}

/// The use cases of webhooks. Test webhooks get a change of the company `changing`.
///
/// # Errors
/// If no HTTP client can be made.
pub fn notifier(
    settings: &Settings,
    store: &Arc<dyn Store>,
    feed: Arc<dyn ChangeFeed>,
    changing: Ruc,
    clock: Arc<dyn Clock>,
) -> Result<Notifier, ClientError> {
    let networks = Networks::with(&settings.webhooks.allowed_networks);
    let test_feed = MinuteFeed::new(changing, Arc::clone(&clock));
    Ok(Notifier {
        store: store.clone(),
        watched: store.clone(),
        feed,
        test_change: Box::new(move || test_feed.newest_change()),
        sender: Arc::new(GuardedSender::new(networks, Arc::new(SystemResolver), Arc::clone(&clock))?),
        clock,
        random: getrandom::fill,
        write: webhook_body,
        limits: attempts(),
        runtime: Handle::current(),
    })
}
