//! Webhooks, their deliveries, and what sends them.

mod record;

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use thiserror::Error;

pub use record::*;

use crate::{AccountId, AccountPage, StoreResult};

/// What operators see of all webhooks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WebhookCounts {
    /// Disabled by a 410 or by failures.
    pub disabled: u64,
    /// When the oldest pending delivery of an active webhook was made.
    pub oldest_pending: Option<Timestamp>,
}

/// Stores webhooks. Deleting an account deletes its webhooks and their deliveries. `owner` limits a method to one
/// account's webhooks; `None` = any. Times are kept to the microsecond.
#[async_trait]
pub trait Webhooks: Send + Sync + 'static {
    /// Not safe to call twice. `LimitReached` beyond [`MAX_WEBHOOKS_PER_ACCOUNT`], `Missing` if there is no such
    /// account.
    async fn add_webhook(&self, new: &NewWebhook) -> StoreResult<Webhook>;

    /// The oldest first.
    async fn webhooks(&self, account: AccountId) -> StoreResult<Vec<Webhook>>;

    /// `None` = there is none.
    async fn webhook(&self, owner: Option<AccountId>, id: WebhookId) -> StoreResult<Option<Webhook>>;

    /// Pauses a webhook, or activates it: its failures are cleared and its pending delivery is attempted at `now`. Safe
    /// to call twice. `false` = there is no such webhook.
    async fn set_webhook_active(
        &self,
        owner: Option<AccountId>,
        id: WebhookId,
        active: bool,
        now: Timestamp,
    ) -> StoreResult<bool>;

    /// Gives a webhook a new secret; the previous one signs too, until `until`. `false` = there is no such webhook.
    async fn rotate_secret(
        &self,
        owner: Option<AccountId>,
        id: WebhookId,
        secret: &WebhookSecret,
        until: Timestamp,
    ) -> StoreResult<bool>;

    /// With its deliveries. `false` = there is no such webhook.
    async fn delete_webhook(&self, owner: Option<AccountId>, id: WebhookId) -> StoreResult<bool>;

    /// The newest first, at most [`DELIVERIES_RETAINED`].
    async fn deliveries(&self, webhook: WebhookId) -> StoreResult<Vec<Delivery>>;

    /// `None` = there is none.
    async fn delivery(&self, owner: Option<AccountId>, id: DeliveryId) -> StoreResult<Option<Delivery>>;

    /// Stores a test that was sent. `Missing` if there is no such webhook.
    async fn add_test(&self, webhook: WebhookId, test: &NewDelivery, attempt: &Attempt) -> StoreResult<DeliveryId>;

    /// Stores that a delivery, which is not pending, was sent again.
    async fn note_sent_again(&self, id: DeliveryId, attempt: &Attempt) -> StoreResult<()>;

    /// Makes the pending delivery due at `now`. `false` = the webhook is not active or has none.
    async fn make_due(&self, webhook: WebhookId, now: Timestamp) -> StoreResult<bool>;
}

/// Delivers to webhooks: one server at a time leases a webhook. Times are kept to the microsecond.
#[async_trait]
pub trait WebhookQueue: Send + Sync + 'static {
    /// Leases a live webhook until `until`: an active one of an active account, without a lease, whose pending delivery is
    /// due or, without one, whose cursor is not `newest`. Positions behind `newest`, of other datasets, do not count.
    /// An account with [`MAX_ATTEMPTS_PER_ACCOUNT`] leases waits; servers that lease at the same instant may exceed
    /// that. Webhooks whose last attempt neither failed nor was [slow](SLOW_ATTEMPT) come first, then by the end of
    /// their last lease. `None` = none is due.
    async fn lease_webhook(&self, newest: &str, now: Timestamp, until: Timestamp)
    -> StoreResult<Option<LeasedWebhook>>;

    /// Moves the cursor, and ends the lease at `until`. `false` = the lease had ended, and nothing changed.
    async fn move_cursor(&self, leased: &LeasedWebhook, cursor: &str, until: Timestamp) -> StoreResult<bool>;

    /// Stores the pending delivery of a webhook without one, before its first attempt, and prolongs the lease to
    /// `until`. Deletes the oldest deliveries beyond [`DELIVERIES_RETAINED`]. `None` = the lease had ended.
    async fn add_pending(
        &self,
        leased: &LeasedWebhook,
        new: &NewDelivery,
        next_cursor: &str,
        until: Timestamp,
    ) -> StoreResult<Option<Delivery>>;

    /// Stores an attempt of the pending delivery with what follows and ends the lease, in one step. `false` = the lease
    /// had ended, and nothing changed. `tells_owner`: if it disables the webhook, its account gets a mail.
    async fn finish_attempt(
        &self,
        leased: &LeasedWebhook,
        delivery: DeliveryId,
        attempt: &Attempt,
        then: AfterAttempt,
        tells_owner: bool,
    ) -> StoreResult<bool>;

    async fn count_webhooks(&self) -> StoreResult<WebhookCounts>;

    /// E-mail address and page of at most `limit` accounts with a webhook that fails or was disabled because it failed,
    /// the oldest account first.
    async fn owners_of_failing(&self, limit: u32) -> StoreResult<Vec<(String, AccountPage)>>;
}

/// What is sent to a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookRequest {
    pub url: String,
    /// Only then may the address be in an allowed network.
    pub by_operator: bool,
    /// The header `webhook-id`.
    pub message: String,
    /// The header `webhook-timestamp`, in seconds.
    pub timestamp: i64,
    /// The header `webhook-signature`.
    pub signature: String,
    /// The JSON.
    pub body: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WebhookUrlError {
    /// No URL, or longer than 2,048 characters.
    #[error("the address must be a URL of at most 2,048 characters")]
    NotAUrl,
    #[error("the address must not have a user or a password")]
    User,
    /// Neither https nor in an allowed network.
    #[error("the address must be https, on port 443 or 8443")]
    Scheme,
    /// It names a machine that is not in the public network.
    #[error("the address must be in the public network")]
    NotPublic,
}

/// Follows no redirect and sends nothing to addresses that are not allowed.
#[async_trait]
pub trait WebhookSender: Send + Sync + 'static {
    /// The address as it was understood, without control characters, if it may be a webhook's. Names are resolved only
    /// with each request.
    ///
    /// # Errors
    /// [`WebhookUrlError`].
    fn check(&self, url: &str, by_operator: bool) -> Result<String, WebhookUrlError>;

    /// Sends once; returns the result with the receiver's `Retry-After`.
    async fn send(&self, request: &WebhookRequest) -> (AttemptResult, Option<Duration>);
}
