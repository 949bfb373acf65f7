//! Delivers: leases a webhook, makes its next delivery from the feed of changes, and attempts it.
//!
//! Deliveries of a webhook are in order: the next one is made when the pending one is delivered. The body and its id are
//! stored before the first attempt, so that every attempt sends the same. What is delivered and the cursor behind it are
//! stored in one step. A server that dies in between leaves a lease that ends, and the next one sends the same body again.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_ports::{
    AfterAttempt, AttemptResult, Delivery, FeedCursor, FeedError, FeedPage, FeedQuery, FeedRucs, LeasedWebhook,
    StoreError, WatchedSet, Webhook, WebhookId,
};
use thiserror::Error;

use super::notifier::{Notifier, WebhookContent};
use super::schedule::after_attempt;

/// The most changes of one delivery.
const MOST_CHANGES: usize = 100;
/// How long a lease lasts: longer than an attempt, and short, because nothing is delivered when its server has died.
const LEASE: Duration = Duration::from_secs(20);
/// After this time a webhook is looked at again whose changes this server does not have yet.
const BEHIND: Duration = Duration::from_secs(2);

/// An attempt that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The webhook.
    pub webhook: WebhookId,
    /// What came of it.
    pub result: AttemptResult,
    /// What follows.
    pub then: AfterAttempt,
}

/// Why nothing was delivered. The webhook is tried again when its lease ends.
#[derive(Debug, Error)]
pub enum DeliverError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The feed cannot be read.
    #[error(transparent)]
    Feed(#[from] FeedError),
    /// The system gives no randomness.
    #[error("the system gives no randomness")]
    Random(#[from] getrandom::Error),
}

impl Notifier {
    /// The end of the feed.
    ///
    /// # Errors
    /// Any error of the feed.
    pub async fn newest(&self) -> Result<String, FeedError> {
        Ok(self.feed.newest().await?.to_string())
    }

    /// Leases a webhook that is due; `None` = there is none.
    ///
    /// # Errors
    /// [`DeliverError`].
    pub async fn lease(&self) -> Result<Option<LeasedWebhook>, DeliverError> {
        let newest = self.newest().await?;
        let now = self.clock.now();
        Ok(self.store.lease_webhook(&newest, now, later(now, LEASE)).await?)
    }

    /// Attempts the pending delivery of a leased webhook, or the next one; `None` = there is nothing to deliver.
    ///
    /// # Errors
    /// [`DeliverError`].
    pub async fn deliver(&self, leased: &LeasedWebhook) -> Result<Option<Delivered>, DeliverError> {
        let delivery = match &leased.pending {
            Some(pending) => pending.clone(),
            None => match self.next_delivery(leased).await? {
                Some(made) => made,
                None => return Ok(None),
            },
        };
        let webhook = &leased.webhook;
        let (attempt, wait) = self.attempt(webhook, &delivery.message, &delivery.body).await;
        let mut jitter = [0; 4];
        // Without randomness there is no jitter.
        let _ = (self.random)(&mut jitter);
        let (jitter, since) = (u32::from_le_bytes(jitter), webhook.failing_since);
        let then = after_attempt(&attempt.result, wait, webhook.failures, since, self.clock.now(), jitter);
        if !self.store.finish_attempt(leased, delivery.id, &attempt, then).await? {
            tracing::warn!(webhook = %webhook.id, "an attempt took longer than its lease, its result is dropped");
        }
        Ok(Some(Delivered { webhook: webhook.id, result: attempt.result, then }))
    }

    /// Stores the next delivery; `None` = there is nothing to deliver, and the lease is given back.
    async fn next_delivery(&self, leased: &LeasedWebhook) -> Result<Option<Delivery>, DeliverError> {
        let webhook = &leased.webhook;
        // A text that is no cursor is before everything.
        let after = webhook.cursor.parse::<FeedCursor>().unwrap_or_default();
        let (page, watched) = match self.page(webhook, &after).await {
            Err(DeliverError::Feed(FeedError::NotRecorded { .. })) => {
                let (webhook, created) = (webhook.id, webhook.created);
                tracing::warn!(%webhook, "the record does not reach back to a webhook's cursor: changes are left out");
                let next = self.feed.recover(after, created).await?;
                self.give_back(leased, &next, LEASE).await?;
                return Ok(None);
            }
            read => read?,
        };
        if page.changes.is_empty() {
            let wait = if page.next == after { BEHIND } else { Duration::ZERO };
            self.give_back(leased, &page.next, wait).await?;
            return Ok(None);
        }
        let content = WebhookContent::Changes { changes: &page.changes, watched: &watched };
        let (made, until) = (self.new_delivery(content)?, later(self.clock.now(), LEASE));
        Ok(self.store.add_pending(leased, &made, &page.next.to_string(), until).await?)
    }

    /// The page after a cursor, and the account's list. It may be long, and is empty here if nothing was published.
    async fn page(&self, webhook: &Webhook, after: &FeedCursor) -> Result<(FeedPage, Arc<WatchedSet>), DeliverError> {
        if let Some(empty) = self.feed.empty_page(after, webhook.created).await? {
            return Ok((empty, Arc::default()));
        }
        let watched = Arc::new(self.watched.watched_set(webhook.account).await?);
        let query = FeedQuery {
            after: after.clone(),
            new_since: webhook.created,
            rucs: FeedRucs::Watched(Arc::clone(&watched)),
            data: None,
            limit: MOST_CHANGES,
            one_publication: true,
        };
        Ok((self.feed.page(query).await?, watched))
    }

    /// Moves a webhook's cursor and gives back its lease after this time.
    async fn give_back(&self, leased: &LeasedWebhook, cursor: &FeedCursor, after: Duration) -> Result<(), StoreError> {
        let until = later(self.clock.now(), after);
        self.store.move_cursor(leased, &cursor.to_string(), until).await.map(drop)
    }
}

fn later(now: Timestamp, time: Duration) -> Timestamp {
    now.saturating_add(time).unwrap_or(Timestamp::MAX)
}
