//! Why the page gave no record, and why a page is refused. No error quotes the page, which may hold personal data.

use std::time::Duration;

use kuraka_domain::{DateError, RucError};
use kuraka_ports::SourceErrorKind;
use thiserror::Error;

use super::label::Label;
use crate::sources::activity::ActivityError;

/// Why an exchange gives neither a record nor an absence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// Not 200. No other status says anything about a taxpayer, not even 404.
    #[error("the page answered with HTTP status {status}")]
    Status { status: u16, retry_after: Option<Duration> },
    /// A firewall or a captcha, with its words.
    #[error("the answer is a refusal, it says {0:?}: slow down, and look at the page in a browser")]
    Refused(&'static str),
    #[error(transparent)]
    Unreadable(#[from] UnreadablePageError),
}

impl AnswerError {
    pub const fn kind(&self) -> SourceErrorKind {
        match self {
            Self::Status { status: 429, retry_after } => SourceErrorKind::Throttled { retry_after: *retry_after },
            Self::Status { status: 401 | 403, .. } | Self::Refused(_) => SourceErrorKind::Refused,
            Self::Status { status: 408 | 500..=599, .. } => SourceErrorKind::Unavailable,
            Self::Status { .. } | Self::Unreadable(_) => SourceErrorKind::Unreadable,
        }
    }
}

/// Why a body is neither a complete record of the requested RUC nor a complete "there is no such RUC".
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnreadablePageError {
    #[error("the answer is empty")]
    Empty,
    #[error("the answer is not in the charset its header names, {0}")]
    Charset(&'static str),
    #[error("the page is truncated: it does not end with </html>")]
    Cut,
    #[error("the page has more tags than any page of its kind")]
    TooManyTags,
    #[error("the answer is the application's error page")]
    ErrorPage,
    #[error("the page holds no result and no known sentence: its structure has changed, or it is another page")]
    Unknown,
    #[error("the answer holds more than one page or result")]
    Several,
    #[error("the page is about another RUC than the one asked for")]
    OtherRuc,
    #[error("the number printed in the result is no RUC")]
    NoRuc(#[source] RucError),
    #[error("the row {0} is missing: it was renamed or removed")]
    Missing(Label),
    #[error("the row {0} is missing, and something unknown or commented out may be that row")]
    Doubtful(Label),
    #[error("the row {0} is duplicated or outside the result")]
    Misplaced(Label),
    #[error("the value of {0} is not built as expected")]
    Value(Label),
    #[error("the value of {0} holds what belongs to another row, or two values in one: the page is damaged")]
    Line(Label),
    #[error("the value of {0} is there twice: the page is damaged")]
    Doubled(Label),
    #[error("the value of {label} is one of {other}: the page is damaged")]
    Exchanged { label: Label, other: Label },
    #[error(transparent)]
    Activity(#[from] ActivityError),
    #[error("the value of {0} is empty")]
    Blank(Label),
    #[error("the value of {0} is masked with asterisks")]
    Masked(Label),
    #[error("the text is garbled: it was written in one charset and read in another")]
    Garbled,
    #[error("the value of {label} is no date")]
    Date {
        label: Label,
        #[source]
        cause: DateError,
    },
    #[error("the address does not end with a known department, a province and a district")]
    Address,
}
