//! Tells accounts by webhook what changed about the RUCs that they watch, after the Standard Webhooks specification.

mod deliver;
mod notifier;
mod own;
mod schedule;
mod sign;

pub use deliver::{DeliverChanges, DeliverError, Delivered};
pub use notifier::{BodyWriter, Notifier, WebhookContent};
pub use own::{CreateWebhookError, SendError, Sent};
pub use schedule::after_attempt;
pub use sign::signature;
