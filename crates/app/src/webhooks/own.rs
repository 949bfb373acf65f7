//! Webhooks for owners and operators.

use std::sync::Arc;

use jiff::SignedDuration;
use kuraka_ports::{
    AccountId, Attempt, Delivery, DeliveryId, FeedError, MAX_ATTEMPTS_PER_ACCOUNT, NewWebhook, StoreError,
    StoreErrorKind, TokenKind, WatchListId, Webhook, WebhookId, WebhookSecret, WebhookUrlError,
};
use thiserror::Error;
use tokio::task::JoinError;

use super::notifier::{Notifier, WebhookContent};
use super::sign::new_secret;
use crate::calendar::later;

/// How long the previous secret signs too.
const BOTH_SIGN_FOR: SignedDuration = SignedDuration::from_hours(24);

#[derive(Debug, Error)]
pub enum CreateWebhookError {
    #[error(transparent)]
    Url(#[from] WebhookUrlError),
    #[error("the account has {} webhooks, which is the most: delete one", kuraka_ports::MAX_WEBHOOKS_PER_ACCOUNT)]
    TooMany,
    #[error("the system's random generator failed: try again")]
    Busy(#[from] getrandom::Error),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    Store(StoreError),
}

/// Why a requested delivery was not sent, or its result not stored.
#[derive(Debug, Error)]
pub enum SendError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the system's random generator failed: try again")]
    Busy(#[from] getrandom::Error),
    /// The account's other attempts have not ended.
    #[error("{MAX_ATTEMPTS_PER_ACCOUNT} attempts of the account are running: try again in some seconds")]
    TooMany,
    /// A bug.
    #[error("sending panicked")]
    Panicked(#[from] JoinError),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResendResult {
    Now(Attempt),
    /// Pending, attempted within a second.
    Soon,
    /// Pending until the webhook is active.
    WhenActive,
}

impl Notifier {
    /// The end of the feed.
    ///
    /// # Errors
    /// Any error of the feed.
    pub async fn newest(&self) -> Result<String, FeedError> {
        Ok(self.feed.newest().await?.to_string())
    }

    /// Creates a webhook, for changes published from now on or for tests. The result has its secret.
    ///
    /// # Errors
    /// [`CreateWebhookError`].
    pub async fn create(
        &self,
        account: AccountId,
        url: &str,
        by_operator: bool,
        kind: TokenKind,
    ) -> Result<Webhook, CreateWebhookError> {
        let new = NewWebhook {
            account,
            kind,
            url: self.sender.check(url.trim(), by_operator)?,
            secret: new_secret(self.random)?,
            cursor: self.newest().await?,
            created: self.clock.now(),
            by_operator,
        };
        self.store.add_webhook(&new).await.map_err(|error| {
            let is_full = error.kind == StoreErrorKind::LimitReached;
            if is_full { CreateWebhookError::TooMany } else { CreateWebhookError::Store(error) }
        })
    }

    /// The webhook with its latest deliveries, newest first; `None` = the owner has no such webhook.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn with_deliveries(
        &self,
        owner: Option<AccountId>,
        id: WebhookId,
    ) -> Result<Option<(Webhook, Vec<Delivery>)>, StoreError> {
        let Some(webhook) = self.store.webhook(owner, id).await? else { return Ok(None) };
        let deliveries = self.store.deliveries(id).await?;
        Ok(Some((webhook, deliveries)))
    }

    /// Gives a webhook a new secret; `None` = the owner has no such webhook. The previous secret signs too for a day.
    ///
    /// # Errors
    /// [`SendError`].
    pub async fn rotate(&self, owner: Option<AccountId>, id: WebhookId) -> Result<Option<WebhookSecret>, SendError> {
        let secret = new_secret(self.random)?;
        let until = later(self.clock.now(), BOTH_SIGN_FOR);
        let known = self.store.rotate_secret(owner, id, &secret, until).await?;
        Ok(known.then_some(secret))
    }

    /// Pauses or resumes a webhook. A resumed webhook continues from its cursor. `false` = the owner has no such
    /// webhook.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn set_active(&self, owner: Option<AccountId>, id: WebhookId, active: bool) -> Result<bool, StoreError> {
        self.store.set_webhook_active(owner, id, active, self.clock.now()).await
    }

    /// Sends a test once, also to a paused webhook, and stores it. A test webhook gets the change of the sample, in a
    /// delivery like a live one. `None` = the owner has no such webhook.
    ///
    /// # Errors
    /// [`SendError`].
    pub async fn test(self: &Arc<Self>, owner: Option<AccountId>, id: WebhookId) -> Result<Option<Attempt>, SendError> {
        let Some(webhook) = self.store.webhook(owner, id).await? else { return Ok(None) };
        let test = match webhook.kind {
            TokenKind::Live => self.new_delivery(WebhookContent::Test)?,
            TokenKind::Test => {
                let list = WatchListId { account: webhook.account, kind: TokenKind::Test };
                let (changes, watched) = ([(self.test_change)()], self.watched.watched_set(list).await?);
                self.new_delivery(WebhookContent::Changes { changes: &changes, watched: &watched })?
            }
        };
        let notifier = Arc::clone(self);
        let sending = self.runtime.spawn(async move {
            let attempt = notifier.attempt_now(&webhook, &test.message, &test.body).await?;
            notifier.store.add_test(id, &test, &attempt).await?;
            Ok::<_, SendError>(attempt)
        });
        Ok(Some(sending.await??))
    }

    /// Sends a delivery again, with its id. `None` = the owner has no such delivery.
    ///
    /// # Errors
    /// [`SendError`].
    pub async fn send_again(
        self: &Arc<Self>,
        owner: Option<AccountId>,
        id: DeliveryId,
    ) -> Result<Option<ResendResult>, SendError> {
        let Some(delivery) = self.store.delivery(owner, id).await? else { return Ok(None) };
        if delivery.is_pending {
            let is_soon = self.store.make_due(delivery.webhook, self.clock.now()).await?;
            return Ok(Some(if is_soon { ResendResult::Soon } else { ResendResult::WhenActive }));
        }
        let Some(webhook) = self.store.webhook(owner, delivery.webhook).await? else { return Ok(None) };
        let notifier = Arc::clone(self);
        let sending = self.runtime.spawn(async move {
            let attempt = notifier.attempt_now(&webhook, &delivery.message, &delivery.body).await?;
            notifier.store.note_sent_again(id, &attempt).await?;
            Ok::<_, SendError>(attempt)
        });
        Ok(Some(ResendResult::Now(sending.await??)))
    }

    /// A requested attempt, which waits for a permit among the deliveries.
    async fn attempt_now(&self, webhook: &Webhook, message: &str, body: &str) -> Result<Attempt, SendError> {
        let _running = self.limits.take(webhook.account).ok_or(SendError::TooMany)?;
        let _permit = self.limits.permit().await;
        Ok(self.attempt(webhook, message, body).await.0)
    }
}
