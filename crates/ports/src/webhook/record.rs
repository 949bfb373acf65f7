//! Webhooks and deliveries as the store holds them.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;

use crate::{AccountId, TokenKind};

pub const MAX_WEBHOOKS_PER_ACCOUNT: u32 = 5;
/// The pending one included.
pub const DELIVERIES_RETAINED: u32 = 100;
/// At the same time, tests and repetitions included.
pub const MAX_ATTEMPTS_PER_ACCOUNT: usize = 3;
/// An attempt that takes longer is slow.
pub const SLOW_ATTEMPT: Duration = Duration::from_secs(2);

/// Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebhookId(pub i64);

/// The signing key: `whsec_` and base64.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(String);

crate::words! {
    /// Whether changes are delivered to a webhook. As words: in stores and lists.
    pub enum WebhookStatus {
        Active = "active",
        /// By its owner.
        Paused = "paused",
        /// Disabled: it answered 410.
        Gone = "gone",
        /// Disabled: every attempt of five days failed.
        Failed = "failed",
    }
}

/// It is active.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    pub account: AccountId,
    /// Whether changes are delivered, or only tests; for good.
    pub kind: TokenKind,
    pub url: String,
    pub secret: WebhookSecret,
    /// The position in the change feed from which on changes are delivered.
    pub cursor: String,
    pub created: Timestamp,
    /// Only then may the address be in an allowed network.
    pub by_operator: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    pub id: WebhookId,
    pub account: AccountId,
    /// Whether changes are delivered, or only tests.
    pub kind: TokenKind,
    pub url: String,
    pub created: Timestamp,
    pub by_operator: bool,
    pub status: WebhookStatus,
    pub secret: WebhookSecret,
    /// Signs too, until this instant.
    pub previous_secret: Option<(WebhookSecret, Timestamp)>,
    /// The position in the change feed after which nothing is delivered yet.
    pub cursor: String,
    /// Since the last success, pause or activation.
    pub failures: u32,
    /// When the first of them failed.
    pub failing_since: Option<Timestamp>,
    /// `None` = no delivery is pending.
    pub next_attempt: Option<Timestamp>,
}

/// One server may deliver to it until its lease ends.
#[derive(Clone, Debug)]
pub struct LeasedWebhook {
    pub webhook: Webhook,
    pub pending: Option<Delivery>,
    /// A later lease has a larger number, and ends this one.
    pub lease: i64,
}

/// Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryId(pub i64);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDelivery {
    /// The `webhook-id` of every attempt.
    pub message: String,
    pub body: String,
    pub created: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    pub id: DeliveryId,
    pub webhook: WebhookId,
    /// The `webhook-id` of every attempt.
    pub message: String,
    pub body: String,
    pub created: Timestamp,
    /// The webhook's cursor after it; `None` = a test, which moves no cursor.
    pub next_cursor: Option<String>,
    /// Whether it is attempted until it succeeds.
    pub is_pending: bool,
    pub attempts: u32,
    pub last: Option<Attempt>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// When it began.
    pub at: Timestamp,
    /// To the millisecond.
    pub took: Duration,
    pub result: AttemptResult,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptResult {
    Answered {
        status: u16,
        /// At most 1 KiB, without control characters.
        text: String,
    },
    NoAnswer(NoAnswer),
}

crate::words! {
    /// As words: in stores and metrics.
    pub enum NoAnswer {
        /// The address is not allowed; nothing was sent.
        Address = "address",
        /// No connection, a wrong certificate, or a cut.
        Connection = "connection",
        /// It took too long.
        Timeout = "timeout",
    }
}

/// What follows an attempt of the pending delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterAttempt {
    /// Delivered: the cursor moves to `next_cursor`.
    Delivered,
    /// It is attempted again at this instant.
    RetryAt(Timestamp),
    /// The webhook gets this status; the delivery stays pending.
    Disable(WebhookStatus),
}

impl AttemptResult {
    /// The receiver answered 2xx.
    pub const fn is_delivered(&self) -> bool {
        matches!(self, Self::Answered { status: 200..300, .. })
    }
}

impl WebhookSecret {
    /// The caller has checked the form.
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl Webhook {
    /// The newest first.
    pub fn secrets(&self, now: Timestamp) -> impl Iterator<Item = &WebhookSecret> {
        let previous = self.previous_secret.as_ref().filter(|(_, until)| now < *until);
        std::iter::once(&self.secret).chain(previous.map(|(secret, _)| secret))
    }
}

/// Hides the secret.
impl fmt::Debug for WebhookSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookSecret(…)")
    }
}

impl fmt::Display for WebhookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
