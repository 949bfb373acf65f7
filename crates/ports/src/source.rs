//! Why a source could not be asked, or its answer not be believed.

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

/// A failure to find out. Never "there is no such taxpayer": that is a value, `Ok(None)`.
#[derive(Debug)]
pub struct SourceError {
    /// The source, in a word for logs and metrics.
    pub source: &'static str,
    /// What kind of failure.
    pub kind: SourceErrorKind,
    /// What lies behind it, for the log only.
    pub cause: Option<Box<dyn StdError + Send + Sync>>,
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
    pub const fn new(source: &'static str, kind: SourceErrorKind) -> Self {
        Self { source, kind, cause: None }
    }

    /// The same with what lies behind it.
    #[must_use]
    pub fn because(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }
}

impl SourceErrorKind {
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
