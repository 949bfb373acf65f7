//! Why a source gave no answer that can be used.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

/// A failure to find out. Never "there is no such taxpayer": that is a value, `Ok(None)`.
#[derive(Debug)]
pub struct SourceError {
    /// The source's name in logs and metrics: one word.
    pub source: Cow<'static, str>,
    /// What kind of failure.
    pub kind: SourceErrorKind,
    /// The underlying error, for the log only.
    pub cause: Option<Box<dyn StdError + Send + Sync>>,
    /// Why the source calls our request invalid, in its own words, for the caller; only ever with `Rejected`.
    pub reason: Option<Box<str>>,
}

/// Kinds of failure: two failures have the same kind if callers, layers and operators treat them alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceErrorKind {
    /// The connection failed or timed out, or there is no source to ask.
    Unavailable,
    /// The source asks us to wait.
    Throttled {
        /// For how long, if the source says so.
        retry_after: Option<Duration>,
    },
    /// A firewall's page or a captcha.
    Refused,
    /// The source refused our own credentials. This is an alarm for the operator, never the caller's 401.
    Credentials,
    /// The answer changed its format, is incomplete, or is about another taxpayer.
    Unreadable,
    /// The source says that our request is invalid.
    Rejected,
    /// Our own limit or pace stopped the request before it was sent. It says nothing about the source.
    HeldBack,
    /// The source answered that the RUC does not exist, and the registry cannot confirm it. The source is healthy.
    UnverifiedAbsence,
}

impl SourceError {
    /// An error without a cause.
    #[must_use]
    pub fn new(source: impl Into<Cow<'static, str>>, kind: SourceErrorKind) -> Self {
        Self { source: source.into(), kind, cause: None, reason: None }
    }

    /// The same error with its underlying error.
    #[must_use]
    pub fn with_cause(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }
}

impl SourceErrorKind {
    /// Whether another source may be asked instead. Only a request that is itself invalid may not.
    #[must_use]
    pub const fn may_ask_another(self) -> bool {
        match self {
            Self::Unavailable
            | Self::Throttled { .. }
            | Self::Refused
            | Self::Credentials
            | Self::Unreadable
            | Self::HeldBack
            | Self::UnverifiedAbsence => true,
            Self::Rejected => false,
        }
    }

    /// The kind in one word, for logs and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::Throttled { .. } => "throttled",
            Self::Refused => "refused",
            Self::Credentials => "credentials",
            Self::Unreadable => "unreadable",
            Self::Rejected => "rejected",
            Self::HeldBack => "held_back",
            Self::UnverifiedAbsence => "unconfirmed",
        }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = match self.kind {
            SourceErrorKind::HeldBack => {
                "unavailable: the question was held back by our own limit, ask again in a moment"
            }
            SourceErrorKind::UnverifiedAbsence => {
                "unavailable: no registry edition is at hand that is fresh enough to confirm that the RUC does not exist"
            }
            SourceErrorKind::Unavailable
            | SourceErrorKind::Throttled { .. }
            | SourceErrorKind::Refused
            | SourceErrorKind::Credentials
            | SourceErrorKind::Unreadable
            | SourceErrorKind::Rejected => self.kind.as_str(),
        };
        write!(f, "the source {:?} is {said}", self.source)
    }
}

impl StdError for SourceError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn StdError + 'static))
    }
}
