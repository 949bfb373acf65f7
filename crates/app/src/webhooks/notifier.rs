//! What the use cases of webhooks share, and one attempt to deliver.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_ports::{
    Attempt, ChangeFeed, Clock, FeedChange, NewDelivery, WatchLists, WatchedSet, Webhook, WebhookRequest,
    WebhookSender, Webhooks,
};
use tokio::runtime::Handle;

use super::sign::signature;
use crate::Places;
use crate::accounts::sign_in::RandomSource;

pub enum WebhookContent<'a> {
    /// Changes of one publication.
    Changes {
        /// At least one.
        changes: &'a [FeedChange],
        /// The account's list, for its codes.
        watched: &'a WatchedSet,
    },
    /// A test of a live webhook.
    Test,
}

/// Writes the JSON of a delivery made at this time.
pub type BodyWriter = fn(Timestamp, WebhookContent<'_>) -> String;

/// Creates and changes webhooks, and sends to them.
pub struct Notifier {
    pub store: Arc<dyn Webhooks>,
    pub watched: Arc<dyn WatchLists>,
    pub feed: Arc<dyn ChangeFeed>,
    /// The change of the sample, which a test webhook gets.
    pub test_change: Box<dyn Fn() -> FeedChange + Send + Sync>,
    pub sender: Arc<dyn WebhookSender>,
    pub clock: Arc<dyn Clock>,
    /// For secrets, ids and delays.
    pub random: RandomSource,
    pub write: BodyWriter,
    /// Bounds deliveries, tests and repetitions. A delivery takes its permit before its webhook is leased, so that no lease
    /// ends while it waits.
    pub limits: Arc<Places>,
    /// For deliveries that a page requests, which end although the browser leaves.
    pub runtime: Handle,
}

impl Notifier {
    /// A delivery with a new id.
    pub(super) fn new_delivery(&self, content: WebhookContent<'_>) -> Result<NewDelivery, getrandom::Error> {
        let mut id = [0; 16];
        (self.random)(&mut id)?;
        let created = self.clock.now();
        Ok(NewDelivery { message: format!("msg_{}", hex::encode(id)), body: (self.write)(created, content), created })
    }

    /// Sends a delivery once. Returns the result, and the receiver's `Retry-After`.
    pub(super) async fn attempt(&self, webhook: &Webhook, message: &str, body: &str) -> (Attempt, Option<Duration>) {
        let (at, began) = (self.clock.now(), self.clock.monotonic());
        let timestamp = at.as_second();
        let request = WebhookRequest {
            url: webhook.url.clone(),
            by_operator: webhook.by_operator,
            message: message.to_owned(),
            timestamp,
            signature: signature(webhook.secrets(at), message, timestamp, body),
            body: body.to_owned(),
        };
        let (result, wait) = self.sender.send(&request).await;
        (Attempt { at, took: self.clock.monotonic().saturating_sub(began), result }, wait)
    }
}
