//! Errors of sources: no usable answer.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A source's failure to answer. That a taxpayer does not exist is an answer, not an error.
#[derive(Clone, Debug)]
pub struct SourceError {
    /// One word, for logs and metrics.
    pub source: Cow<'static, str>,
    pub kind: SourceErrorKind,
    /// For the log only; callers that share a request share it.
    pub cause: Option<Arc<dyn StdError + Send + Sync>>,
    /// Why the source calls the request invalid, for the caller; only with `Rejected`.
    pub reason: Option<Box<str>>,
}

/// Kinds of failure, each handled alike everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceErrorKind {
    /// The connection failed or timed out, or no source is configured.
    Unavailable,
    Throttled {
        retry_after: Option<Duration>,
    },
    /// The answer is a firewall's page or a captcha.
    Refused,
    /// The source refused our own credentials: the operator must act, the caller never gets a 401.
    Credentials,
    /// The answer changed its format, is incomplete, or about another taxpayer.
    Unreadable,
    /// The source calls our request invalid.
    Rejected,
    /// A limit of the server stopped the request unsent.
    HeldBack,
    /// The source says that the RUC does not exist, and the registry cannot confirm it. The source is healthy.
    UnverifiedAbsence,
}

impl SourceError {
    pub fn new(source: impl Into<Cow<'static, str>>, kind: SourceErrorKind) -> Self {
        Self { source: source.into(), kind, cause: None, reason: None }
    }

    #[must_use]
    pub fn with_cause(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.cause = Some(cause.into().into());
        self
    }
}

impl SourceErrorKind {
    /// `false` only for an invalid request.
    #[must_use]
    pub const fn may_ask_another(self) -> bool {
        !matches!(self, Self::Rejected)
    }

    /// One word, for logs and metrics.
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
        let said = if self.kind == SourceErrorKind::HeldBack {
            "unavailable: the question was held back by our own limit, ask again in a moment"
        } else if self.kind == SourceErrorKind::UnverifiedAbsence {
            "unavailable: no registry edition is at hand that is fresh enough to confirm that the RUC does not exist"
        } else {
            self.kind.as_str()
        };
        write!(f, "the source {:?} is {said}", self.source)
    }
}

impl StdError for SourceError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn StdError + 'static))
    }
}
