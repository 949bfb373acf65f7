//! Leases a webhook, makes its next delivery from the feed of changes, and attempts it.
//!
//! Deliveries of a webhook are in order. The body and its id are stored before the first attempt, the result and the
//! cursor in one step. If a server dies in between, its lease ends, and the next server sends the same body again.

use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;
use kuraka_ports::{
    AfterAttempt, AttemptResult, Delivery, FeedCursor, FeedError, FeedPage, FeedQuery, FeedRucs, LeasedWebhook,
    StoreError, WatchListId, WatchedSet, Webhook, WebhookCounts, WebhookId, WebhookQueue,
};
use thiserror::Error;

use super::notifier::{Notifier, WebhookContent};
use super::schedule::after_attempt;
use crate::calendar::later;

/// In one delivery.
const MAX_CHANGES: usize = 100;
/// Longer than an attempt, and short, because nothing is delivered when its server has died.
const LEASE: SignedDuration = SignedDuration::from_secs(20);
/// When a webhook is leased again whose changes are not here yet, or whose account has tests running.
const BEHIND: SignedDuration = SignedDuration::from_secs(2);

#[derive(Clone)]
pub struct DeliverChanges {
    pub queue: Arc<dyn WebhookQueue>,
    pub notifier: Arc<Notifier>,
    /// Whether the owner of a webhook that is disabled gets a mail.
    pub tells_owners: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletedAttempt {
    pub webhook: WebhookId,
    pub result: AttemptResult,
    pub then: AfterAttempt,
}

/// Why nothing was delivered. The webhook is retried when its lease ends.
#[derive(Debug, Error)]
pub enum DeliverError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error("the system gives no randomness")]
    Random(#[from] getrandom::Error),
}

impl DeliverChanges {
    /// Leases a due webhook, if any.
    ///
    /// # Errors
    /// [`DeliverError`].
    pub async fn lease(&self) -> Result<Option<LeasedWebhook>, DeliverError> {
        let newest = self.notifier.newest().await?;
        let now = self.notifier.clock.now();
        Ok(self.queue.lease_webhook(&newest, now, later(now, LEASE)).await?)
    }

    /// Attempts a webhook's pending or next delivery, if any. After an error the webhook waits until its lease ends. `None`
    /// = nothing was attempted, or the result is dropped.
    ///
    /// # Errors
    /// [`DeliverError`].
    pub async fn deliver(&self, leased: &LeasedWebhook) -> Result<Option<CompletedAttempt>, DeliverError> {
        let (webhook, pending) = (&leased.webhook, leased.pending.clone());
        let Some(running) = self.notifier.limits.take(webhook.account) else {
            self.queue.move_cursor(leased, &webhook.cursor, later(self.notifier.clock.now(), BEHIND)).await?;
            return Ok(None);
        };
        let delivery = if pending.is_some() { pending } else { self.next_delivery(leased).await? };
        let Some(delivery) = delivery else { return Ok(None) };
        let (attempt, wait) = self.notifier.attempt(webhook, &delivery.message, &delivery.body).await;
        let mut jitter = [0; 4];
        // Without randomness there is no jitter.
        let _ = (self.notifier.random)(&mut jitter);
        let (jitter, since) = (u32::from_le_bytes(jitter), webhook.failing_since);
        let now = self.notifier.clock.now();
        // Once its attempt is finished, the webhook may be leased at once.
        drop(running);
        let then = after_attempt(&attempt.result, wait, webhook.failures, since, now, jitter);
        if !self.queue.finish_attempt(leased, delivery.id, &attempt, then, self.tells_owners).await? {
            tracing::warn!(
                webhook = %webhook.id,
                "an attempt took longer than its lease, or its webhook is deleted: its result is dropped"
            );
            return Ok(None);
        }
        Ok(Some(CompletedAttempt { webhook: webhook.id, result: attempt.result, then }))
    }

    /// The number of disabled webhooks, and the age of the oldest pending delivery.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn count(&self) -> Result<(WebhookCounts, Duration), StoreError> {
        let counts = self.queue.count_webhooks().await?;
        let age = counts.oldest_pending.map(|made| self.notifier.clock.now().duration_since(made));
        Ok((counts, age.and_then(|age| Duration::try_from(age).ok()).unwrap_or_default()))
    }

    /// Stores the next delivery; `None` = the lease has ended, or there are no changes, and the cursor moves.
    async fn next_delivery(&self, leased: &LeasedWebhook) -> Result<Option<Delivery>, DeliverError> {
        let webhook = &leased.webhook;
        // An invalid cursor is before everything.
        let after = webhook.cursor.parse::<FeedCursor>().unwrap_or_default();
        let (page, watched) = match self.page(webhook, &after).await {
            Err(DeliverError::Feed(FeedError::NotRecorded { .. })) => {
                let (webhook, created) = (webhook.id, webhook.created);
                tracing::warn!(%webhook, "the change log starts after a webhook's cursor: older changes are skipped");
                let next = self.notifier.feed.recover(after, created).await?;
                return self.skip(leased, &next, LEASE).await;
            }
            read => read?,
        };
        if page.changes.is_empty() {
            let wait = if page.next == after { BEHIND } else { SignedDuration::ZERO };
            return self.skip(leased, &page.next, wait).await;
        }
        let content = WebhookContent::Changes { changes: &page.changes, watched: &watched };
        let (made, until) = (self.notifier.new_delivery(content)?, later(self.notifier.clock.now(), LEASE));
        Ok(self.queue.add_pending(leased, &made, &page.next.to_string(), until).await?)
    }

    /// Moves the cursor without a delivery. The webhook is leased again after this time.
    async fn skip(
        &self,
        leased: &LeasedWebhook,
        next: &FeedCursor,
        wait: SignedDuration,
    ) -> Result<Option<Delivery>, DeliverError> {
        self.queue.move_cursor(leased, &next.to_string(), later(self.notifier.clock.now(), wait)).await?;
        Ok(None)
    }

    /// The page after a cursor, and the account's list, which may be long and is read only if something was published.
    async fn page(&self, webhook: &Webhook, after: &FeedCursor) -> Result<(FeedPage, Arc<WatchedSet>), DeliverError> {
        if let Some(empty) = self.notifier.feed.empty_page(after, webhook.created).await? {
            return Ok((empty, Arc::default()));
        }
        let watched = Arc::new(self.notifier.watched.watched_set(WatchListId::live(webhook.account)).await?);
        let query = FeedQuery {
            after: after.clone(),
            new_since: webhook.created,
            rucs: FeedRucs::Watched(Arc::clone(&watched)),
            data: None,
            limit: MAX_CHANGES,
            one_publication: true,
        };
        Ok((self.notifier.feed.page(query).await?, watched))
    }
}
