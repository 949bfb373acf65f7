//! Writes the JSON of a delivery to a webhook.

use jiff::Timestamp;
use kuraka_api::{WebhookData, WebhookRecord, webhook};
use kuraka_app::webhooks::WebhookContent;

use super::operations::change_record;

pub(crate) fn webhook_body(made: Timestamp, content: WebhookContent<'_>) -> String {
    let (kind, data) = match &content {
        WebhookContent::Test => (webhook::TEST, WebhookData { edicion: None, cambios: Vec::new() }),
        WebhookContent::Changes { changes, watched } => {
            let edicion = changes.first().map(|change| (&*change.edition).into());
            let cambios = changes.iter().map(|change| change_record(change, Some(*watched))).collect();
            (webhook::CHANGES, WebhookData { edicion, cambios })
        }
    };
    let timestamp = made.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let record = WebhookRecord { kind: kind.into(), timestamp: timestamp.into(), data };
    // Texts and numbers always serialise.
    serde_json::to_string(&record).unwrap_or_default()
}
