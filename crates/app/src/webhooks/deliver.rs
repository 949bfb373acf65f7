//! Delivers: leases webhooks, makes the next delivery of one from the feed of changes, and attempts it.
//!
//! Deliveries of a webhook are in order: the next one is made when the pending one is delivered. The body and its id are
//! stored before the first attempt, so that every attempt sends the same. What is delivered and the cursor behind it are
//! stored in one step. A server that dies in between leaves a lease that ends, and the next one sends the same body again.

use std::collections::HashMap;
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

/// How long the server looks for a webhook with a delivery before it gives the other leases back.
const LONGEST_LOOK: Duration = Duration::from_secs(5);

/// What is next for a webhook.
enum Next {
    Delivery(Delivery),
    /// Its cursor moves here, and it is due again after this time.
    Nothing(String, Duration),
}

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

    /// Leases up to `most` webhooks that are due.
    ///
    /// # Errors
    /// [`DeliverError`].
    pub async fn lease(&self, most: u32) -> Result<Vec<LeasedWebhook>, DeliverError> {
        let newest = self.newest().await?;
        let now = self.clock.now();
        Ok(self.store.lease_webhooks(&newest, most, now, later(now, LEASE)).await?)
    }

    /// Attempts the pending delivery, or the next one, of the first of these webhooks that has one, and gives back the leases of
    /// the others; `None` = there is nothing to deliver. After an error only that webhook waits until its lease ends.
    ///
    /// # Errors
    /// [`DeliverError`].
    pub async fn deliver(&self, leased: &[LeasedWebhook]) -> Result<Option<Delivered>, DeliverError> {
        let (began, mut others) = (self.clock.monotonic(), HashMap::<_, Vec<_>>::new());
        let (mut found, mut failed) = (None, None);
        for one in leased {
            let is_late = self.clock.monotonic().saturating_sub(began) > LONGEST_LOOK;
            let next = match &one.pending {
                _ if found.is_some() || failed.is_some() || is_late => {
                    Ok(Next::Nothing(one.webhook.cursor.clone(), Duration::ZERO))
                }
                Some(pending) => Ok(Next::Delivery(pending.clone())),
                None => self.next_delivery(one).await,
            };
            match next {
                Ok(Next::Delivery(delivery)) => found = Some((one, delivery)),
                Ok(Next::Nothing(cursor, wait)) => others.entry((cursor, wait)).or_default().push(one),
                Err(error) => failed = Some(error),
            }
        }
        for ((cursor, wait), others) in others {
            let until = later(self.clock.now(), wait);
            if let Err(error) = self.store.move_cursors(&others, &cursor, until).await {
                tracing::warn!(%error, webhooks = others.len(), "webhooks wait until their leases end");
                failed.get_or_insert(error.into());
            }
        }
        let Some((leased, delivery)) = found else { return failed.map_or(Ok(None), Err) };
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

    /// Stores the next delivery.
    async fn next_delivery(&self, leased: &LeasedWebhook) -> Result<Next, DeliverError> {
        let webhook = &leased.webhook;
        // A text that is no cursor is before everything.
        let after = webhook.cursor.parse::<FeedCursor>().unwrap_or_default();
        let (page, watched) = match self.page(webhook, &after).await {
            Err(DeliverError::Feed(FeedError::NotRecorded { .. })) => {
                let (webhook, created) = (webhook.id, webhook.created);
                tracing::warn!(%webhook, "the record does not reach back to a webhook's cursor: changes are left out");
                let next = self.feed.recover(after, created).await?;
                return Ok(Next::Nothing(next.to_string(), LEASE));
            }
            read => read?,
        };
        if page.changes.is_empty() {
            let wait = if page.next == after { BEHIND } else { Duration::ZERO };
            return Ok(Next::Nothing(page.next.to_string(), wait));
        }
        let content = WebhookContent::Changes { changes: &page.changes, watched: &watched };
        let (made, until) = (self.new_delivery(content)?, later(self.clock.now(), LEASE));
        let added = self.store.add_pending(leased, &made, &page.next.to_string(), until).await?;
        // The lease has ended.
        Ok(added.map_or(Next::Nothing(webhook.cursor.clone(), Duration::ZERO), Next::Delivery))
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
}

fn later(now: Timestamp, time: Duration) -> Timestamp {
    now.saturating_add(time).unwrap_or(Timestamp::MAX)
}
