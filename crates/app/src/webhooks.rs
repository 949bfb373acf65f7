//! Notifies accounts of changes by webhook, after the Standard Webhooks specification.

mod deliver;
mod limits;
mod notifier;
mod own;
mod schedule;
mod sign;

pub use deliver::{CompletedAttempt, DeliverChanges, DeliverError};
pub use limits::AttemptLimits;
pub use notifier::{BodyWriter, Notifier, WebhookContent};
pub use own::{CreateWebhookError, ResendResult, SendError};
pub use schedule::after_attempt;
pub use sign::signature;
