//! Why a source could not be asked, or its answer not be believed.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

/// A failure to find out. Never "there is no such taxpayer": that is a value, `Ok(None)`.
#[derive(Debug)]
pub struct SourceError {
    /// The source, in a word for logs and metrics.
    pub source: Cow<'static, str>,
    /// What kind of failure.
    pub kind: SourceErrorKind,
    /// What lies behind it, for the log only.
    pub cause: Option<Box<dyn StdError + Send + Sync>>,
    /// Why the source calls our request invalid, in its own words, for the caller; only ever with `Rejected`.
    pub reason: Option<Box<str>>,
}

/// Kinds of failure, as far as anybody acts on the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceErrorKind {
    /// Transport or timeout; or nothing there to ask.
    Unavailable,
    /// The source asks for patience.
    Throttled {
        /// For how long, if it says.
        retry_after: Option<Duration>,
    },
    /// A firewall's page or a captcha.
    Refused,
    /// Our own credentials were refused: the operator's alarm, never the caller's 401.
    Credentials,
    /// The answer changed shape, is incomplete, or is about somebody else.
    Unreadable,
    /// The source says that our request is invalid.
    Rejected,
}

impl SourceError {
    /// An error without a cause.
    #[must_use]
    pub fn new(source: impl Into<Cow<'static, str>>, kind: SourceErrorKind) -> Self {
        Self { source: source.into(), kind, cause: None, reason: None }
    }

    /// The same with what lies behind it.
    #[must_use]
    pub fn with_cause(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }
}

impl SourceErrorKind {
    /// Whether the source may well answer in a moment: what breakers and retries count.
    #[must_use]
    pub const fn is_transient(self) -> bool {
        match self {
            Self::Unavailable | Self::Throttled { .. } => true,
            Self::Refused | Self::Credentials | Self::Unreadable | Self::Rejected => false,
        }
    }

    /// Whether another source may be asked instead. Only a request that is itself invalid may not.
    #[must_use]
    pub const fn may_ask_another(self) -> bool {
        match self {
            Self::Unavailable | Self::Throttled { .. } | Self::Refused | Self::Credentials | Self::Unreadable => true,
            Self::Rejected => false,
        }
    }

    /// The kind in a word, for logs and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::Throttled { .. } => "throttled",
            Self::Refused => "refused",
            Self::Credentials => "credentials",
            Self::Unreadable => "unreadable",
            Self::Rejected => "rejected",
        }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the source {:?} is {}", self.source, self.kind.as_str())
    }
}

impl StdError for SourceError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn StdError + 'static))
    }
}
