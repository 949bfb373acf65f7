//! Builds the use cases of webhooks, and writes the bodies of deliveries.

use std::sync::Arc;

use jiff::Timestamp;
use kuraka_adapters::datasets::FolderFeed;
use kuraka_adapters::http::ClientError;
use kuraka_adapters::store::Store;
use kuraka_adapters::webhooks::{GuardedSender, Networks, SystemResolver};
use kuraka_api::{WatchedChangeRecord, WebhookData, WebhookRecord, webhook};
use kuraka_app::Notifier;
use kuraka_app::webhooks::WebhookContent;
use kuraka_ports::{Clock, FeedChange};
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

/// Writes the JSON of a delivery.
fn write(made: Timestamp, content: WebhookContent<'_>) -> String {
    let (kind, data) = match &content {
        WebhookContent::Test => (webhook::TEST, WebhookData { edicion: None, cambios: Vec::new() }),
        WebhookContent::Changes { changes, watched } => {
            let edicion = changes.first().map(|change| (&*change.edition).into());
            let record = |change: &'_ FeedChange| WatchedChangeRecord {
                ruc: change.ruc,
                codigo: watched.code(change.ruc).map(|code| code.to_owned().into()),
                fecha: change.date,
                edicion: change.edition.to_string().into(),
                dato: change.what.datum.name().into(),
                antes: change.what.before.to_string().into(),
                despues: change.what.after.to_string().into(),
            };
            (webhook::CHANGES, WebhookData { edicion, cambios: changes.iter().map(record).collect() })
        }
    };
    let timestamp = made.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let record = WebhookRecord { kind: kind.into(), timestamp: timestamp.into(), data };
    // Texts and numbers can always be written.
    serde_json::to_string(&record).unwrap_or_default()
}
