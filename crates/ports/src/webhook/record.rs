//! Webhooks and deliveries as the store holds them.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;

use crate::AccountId;

/// The most webhooks of one account.
pub const MAX_WEBHOOKS_PER_ACCOUNT: u32 = 5;
/// The most deliveries kept for one webhook, the pending one included.
pub const DELIVERIES_RETAINED: u32 = 100;
/// The most attempts of one account at the same time, tests and repetitions included.
pub const MAX_ATTEMPTS_PER_ACCOUNT: u32 = 3;
/// An attempt that takes longer is slow.
pub const SLOW_ATTEMPT: Duration = Duration::from_secs(2);

/// A webhook's number in the store; never given to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebhookId(pub i64);

/// The key that signs deliveries, as its owner has it: `whsec_` and base64.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(String);

/// Whether changes are delivered to a webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WebhookStatus {
    /// They are.
    Active,
    /// Its owner has paused it.
    Paused,
    /// Disabled, because it answered 410.
    Gone,
    /// Disabled, because every attempt of five days failed.
    Failed,
}

/// A webhook to be created. It is active.
#[derive(Clone, Debug)]
pub struct NewWebhook {
    /// Its owner.
    pub account: AccountId,
    /// Where deliveries are sent.
    pub url: String,
    /// Signs them.
    pub secret: WebhookSecret,
    /// The position in the feed of changes from which on they are delivered.
    pub cursor: String,
    /// When it is created.
    pub created: Timestamp,
    /// Whether the operator creates it: only then may it be in an allowed network.
    pub by_operator: bool,
}

/// A webhook as the store holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// Number in the store.
    pub id: WebhookId,
    /// Its owner.
    pub account: AccountId,
    /// Where deliveries are sent.
    pub url: String,
    /// When it was created.
    pub created: Timestamp,
    /// Whether the operator created it.
    pub by_operator: bool,
    /// Whether changes are delivered.
    pub status: WebhookStatus,
    /// Signs deliveries.
    pub secret: WebhookSecret,
    /// Signs them too, until this instant.
    pub previous_secret: Option<(WebhookSecret, Timestamp)>,
    /// The position in the feed of changes after which nothing is delivered yet.
    pub cursor: String,
    /// Attempts that failed since the last success, or since it was resumed.
    pub failures: u32,
    /// When the first of them failed.
    pub failing_since: Option<Timestamp>,
    /// When the pending delivery is attempted; `None` = none is pending.
    pub next_attempt: Option<Timestamp>,
}

/// A webhook that one server may deliver to until its lease ends.
#[derive(Clone, Debug)]
pub struct LeasedWebhook {
    /// The webhook.
    pub webhook: Webhook,
    /// Its pending delivery.
    pub pending: Option<Delivery>,
    /// The number of the lease: a later lease has a larger one, and ends this one.
    pub lease: i64,
}

/// A delivery's number in the store; never given to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryId(pub i64);

/// A delivery to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDelivery {
    /// The `webhook-id` of every attempt.
    pub message: String,
    /// The JSON that is sent.
    pub body: String,
    /// When it was made.
    pub created: Timestamp,
}

/// A delivery as the store holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Number in the store.
    pub id: DeliveryId,
    /// The webhook that it is for.
    pub webhook: WebhookId,
    /// The `webhook-id` of every attempt.
    pub message: String,
    /// The JSON that is sent.
    pub body: String,
    /// When it was made.
    pub created: Timestamp,
    /// The webhook's cursor after it; `None` = it is a test, which moves no cursor.
    pub next_cursor: Option<String>,
    /// Whether it is attempted until it succeeds.
    pub is_pending: bool,
    /// How often it was attempted.
    pub attempts: u32,
    /// The latest attempt.
    pub last: Option<Attempt>,
}

/// An attempt to deliver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// When it began.
    pub at: Timestamp,
    /// How long it took, to the millisecond.
    pub took: Duration,
    /// What came of it.
    pub result: AttemptResult,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptResult {
    /// The receiver answered.
    Answered {
        /// The HTTP status.
        status: u16,
        /// The beginning of the answer, at most 1 KiB, without control characters.
        text: String,
    },
    /// There was no answer.
    NoAnswer(NoAnswer),
}

/// Why there was no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The address is not allowed: it is not public, for example. Nothing was sent.
    Address,
    /// There was no connection, its certificate was wrong, or it was cut.
    Connection,
    /// It took too long.
    Timeout,
}

/// What follows an attempt of the pending delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterAttempt {
    /// It is delivered: the cursor moves to the delivery's `next_cursor`.
    Delivered,
    /// It is attempted again at this instant.
    RetryAt(Timestamp),
    /// The webhook gets this status; the delivery stays pending.
    Disable(WebhookStatus),
}

impl NoAnswer {
    /// Every reason.
    pub const ALL: [Self; 3] = [Self::Address, Self::Connection, Self::Timeout];

    /// The name in stores and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Connection => "connection",
            Self::Timeout => "timeout",
        }
    }
}

impl AttemptResult {
    /// Whether the receiver has taken the delivery: it answered 2xx.
    #[must_use]
    pub const fn is_delivered(&self) -> bool {
        matches!(self, Self::Answered { status: 200..300, .. })
    }
}

impl WebhookSecret {
    /// A secret of the form `whsec_` and base64, which the caller has checked.
    #[must_use]
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    /// The secret's text.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl WebhookStatus {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Active, Self::Paused, Self::Gone, Self::Failed];

    /// The name in stores and in lists.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Gone => "gone",
            Self::Failed => "failed",
        }
    }
}

impl Webhook {
    /// The secrets that sign at `now`, the newest first.
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
