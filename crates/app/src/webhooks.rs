//! Notifies accounts of changes by webhook, after the Standard Webhooks specification.

mod deliver;
mod notifier;
mod own;
mod schedule;
mod sign;

pub use deliver::{CompletedAttempt, DeliverChanges, DeliverError};
pub use notifier::{BodyWriter, Notifier, WebhookContent};
pub use own::{CreateWebhookError, ResendResult, SendError};
pub use schedule::after_attempt;
pub use sign::signature;

use std::sync::Arc;

use jiff::SignedDuration;
use kuraka_ports::MAX_ATTEMPTS_PER_ACCOUNT;

use crate::Places;

/// Deliveries that are not pending.
pub(crate) const KEPT_FOR: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Places of concurrent attempts of a server.
pub fn attempts() -> Arc<Places> {
    Places::new(MAX_ATTEMPTS_PER_ACCOUNT, 16)
}
