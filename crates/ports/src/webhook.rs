//! Webhooks: the addresses to which an account is told changes, what was delivered to each, and what sends a delivery.

mod record;

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use thiserror::Error;

pub use record::{
    AfterAttempt, Attempt, AttemptResult, DELIVERIES_RETAINED, Delivery, DeliveryId, LeasedWebhook,
    MAX_ATTEMPTS_PER_ACCOUNT, MAX_WEBHOOKS_PER_ACCOUNT, NewDelivery, NewWebhook, NoAnswer, SLOW_ATTEMPT, Webhook,
    WebhookId, WebhookSecret, WebhookStatus,
};

use crate::{AccountId, StoreError};

/// What an operator is told of all webhooks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WebhookCounts {
    /// Webhooks that were disabled because they failed.
    pub disabled: u64,
    /// When the oldest delivery of an active webhook that is still pending was made.
    pub oldest_pending: Option<Timestamp>,
}

/// Stores webhooks. An account is deleted with its webhooks and their deliveries. `owner` limits a method to the webhooks
/// of one account; `None` = any. Times are kept to the microsecond.
#[async_trait]
pub trait Webhooks: Send + Sync + 'static {
    /// Stores a new webhook. Not safe to call twice.
    ///
    /// # Errors
    /// `LimitReached` if the account has [`MAX_WEBHOOKS_PER_ACCOUNT`], `Missing` if there is no such account, `Unavailable`.
    async fn add_webhook(&self, new: &NewWebhook) -> Result<Webhook, StoreError>;

    /// The account's webhooks, the oldest first.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn webhooks(&self, account: AccountId) -> Result<Vec<Webhook>, StoreError>;

    /// The webhook with this number; `None` = there is none.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn webhook(&self, owner: Option<AccountId>, id: WebhookId) -> Result<Option<Webhook>, StoreError>;

    /// Pauses a webhook, or makes it active again: it has not failed then, and its pending delivery is attempted at `now`.
    /// Safe to call twice. `false` = there is no such webhook.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn set_webhook_active(
        &self,
        owner: Option<AccountId>,
        id: WebhookId,
        active: bool,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Gives a webhook a new secret. The one that it has signs too, until `until`. `false` = there is no such webhook.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn rotate_secret(
        &self,
        owner: Option<AccountId>,
        id: WebhookId,
        secret: &WebhookSecret,
        until: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Deletes a webhook with its deliveries. `false` = there is no such webhook.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn delete_webhook(&self, owner: Option<AccountId>, id: WebhookId) -> Result<bool, StoreError>;

    /// The webhook's deliveries, the newest first: at most [`DELIVERIES_RETAINED`].
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn deliveries(&self, webhook: WebhookId) -> Result<Vec<Delivery>, StoreError>;

    /// The delivery with this number; `None` = there is none.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn delivery(&self, owner: Option<AccountId>, id: DeliveryId) -> Result<Option<Delivery>, StoreError>;

    /// Stores a test that was sent to a webhook.
    ///
    /// # Errors
    /// `Missing` if there is no such webhook, `Unavailable`.
    async fn add_test(
        &self,
        webhook: WebhookId,
        test: &NewDelivery,
        attempt: &Attempt,
    ) -> Result<DeliveryId, StoreError>;

    /// Stores that a delivery which is not pending was sent again.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn note_sent_again(&self, id: DeliveryId, attempt: &Attempt) -> Result<(), StoreError>;

    /// Attempts the pending delivery of a webhook at `now`. `false` = the webhook is not active or has none.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn attempt_now(&self, webhook: WebhookId, now: Timestamp) -> Result<bool, StoreError>;
}

/// Delivers to webhooks: one server at a time has the lease of a webhook. Times are kept to the microsecond.
#[async_trait]
pub trait WebhookQueue: Send + Sync + 'static {
    /// Leases a webhook until `until`: an active one of an active account, without a lease, whose pending delivery is due or,
    /// without one, whose cursor is not `newest`. Positions behind `newest`, of other datasets, do not count. An account with
    /// [`MAX_ATTEMPTS_PER_ACCOUNT`] leases waits; servers that lease at the same instant may give it some more. Webhooks whose
    /// last attempt neither failed nor was [slow](SLOW_ATTEMPT) come first, then the one whose last lease ended first.
    /// `None` = none is due.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn lease_webhook(
        &self,
        newest: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<LeasedWebhook>, StoreError>;

    /// Moves the cursor of a leased webhook, and lets the lease end at `until`. `false` = the lease had ended, and nothing
    /// changed.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn move_cursor(&self, leased: &LeasedWebhook, cursor: &str, until: Timestamp) -> Result<bool, StoreError>;

    /// Stores the pending delivery of a leased webhook that has none, before its first attempt, and prolongs the lease to
    /// `until`. Deletes the oldest deliveries beyond [`DELIVERIES_RETAINED`]. `None` = the lease had ended.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn add_pending(
        &self,
        leased: &LeasedWebhook,
        new: &NewDelivery,
        next_cursor: &str,
        until: Timestamp,
    ) -> Result<Option<Delivery>, StoreError>;

    /// Stores an attempt of the pending delivery of a leased webhook with what follows, in one step, and ends the lease.
    /// `false` = the lease had ended, and nothing changed.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn finish_attempt(
        &self,
        leased: &LeasedWebhook,
        delivery: DeliveryId,
        attempt: &Attempt,
        then: AfterAttempt,
    ) -> Result<bool, StoreError>;

    /// Deletes deliveries that are not pending and were made before this instant.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn sweep_deliveries(&self, made_before: Timestamp) -> Result<(), StoreError>;

    /// Counts webhooks and deliveries.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn count_webhooks(&self) -> Result<WebhookCounts, StoreError>;
}

/// What is sent to a webhook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookRequest {
    /// Where it is sent.
    pub url: String,
    /// Whether that may be in an allowed network: the operator created the webhook.
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

/// Why an address cannot be a webhook's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WebhookUrlError {
    /// It is no address, or longer than 2,048 characters.
    #[error("the address must be a URL of at most 2,048 characters")]
    NotAUrl,
    /// It names a user or a password.
    #[error("the address must not have a user or a password")]
    User,
    /// It is neither https nor in an allowed network.
    #[error("the address must be https, on port 443 or 8443")]
    Scheme,
    /// It names a machine that is not in the public network.
    #[error("the address must be in the public network")]
    NotPublic,
}

/// Sends deliveries. Follows no redirect and sends nothing to addresses that are not allowed.
#[async_trait]
pub trait WebhookSender: Send + Sync + 'static {
    /// Whether an address can be a webhook's, one of the operator or of an owner. Returns it as it was understood, without
    /// control characters. A name is looked up with each request only.
    ///
    /// # Errors
    /// [`WebhookUrlError`].
    fn check(&self, url: &str, by_operator: bool) -> Result<String, WebhookUrlError>;

    /// Sends a delivery once, and returns what came of it with the receiver's `Retry-After`.
    async fn send(&self, request: &WebhookRequest) -> (AttemptResult, Option<Duration>);
}
