//! Why the page gave no record, and why a page is refused.
//!
//! No error quotes the page, which may hold personal data.

use std::time::Duration;

use kuraka_domain::{DateError, RucError};
use kuraka_ports::SourceErrorKind;
use thiserror::Error;

use super::label::Label;

/// Why an exchange gives neither a record nor an absence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// A status other than 200. None of them says anything about a taxpayer, not even 404.
    #[error("the page answered with HTTP status {status}")]
    Status {
        /// The HTTP status.
        status: u16,
        /// How long the page asks us to wait, if it does.
        retry_after: Option<Duration>,
    },
    /// A firewall or a captcha, identified by these words.
    #[error("the answer is a refusal, it says {0:?}: slow down, and look at the page in a browser")]
    Refused(&'static str),
    /// The page is refused.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

impl AnswerError {
    /// The port's kind of failure.
    #[must_use]
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
pub enum Unreadable {
    /// Only blanks.
    #[error("the answer is empty")]
    Empty,
    /// The bytes are not in the charset that the HTTP header names.
    #[error("the answer is not in the charset its header names, {0}")]
    Charset(&'static str),
    /// The end of the page is missing.
    #[error("the page is cut: nothing but </html> may end it")]
    Cut,
    /// More tags than any page has.
    #[error("the page has more tags than any page of its kind")]
    TooManyTags,
    /// The application's own error page.
    #[error("the answer is the application's error page")]
    ErrorPage,
    /// Neither a result nor a known sentence.
    #[error("the page holds no result and no known sentence: its structure has changed, or it is another page")]
    Unknown,
    /// More than one result, or a result together with another page's words.
    #[error("the answer holds more than one page or result")]
    Several,
    /// The result, or the sentence, is about another taxpayer.
    #[error("the page is about another RUC than the one asked for")]
    OtherRuc,
    /// The result's number is not a RUC.
    #[error("the number printed in the result is no RUC")]
    NoRuc(#[source] RucError),
    /// A row is missing.
    #[error("the row {0} is missing: it was renamed or removed")]
    Missing(Label),
    /// An optional row is missing, and an unknown row or a comment may be that row.
    #[error("the row {0} is missing, and something unknown or commented out may be that row")]
    Doubtful(Label),
    /// A row appears twice, or outside of the result.
    #[error("the row {0} stands twice or outside of the result")]
    Misplaced(Label),
    /// A row's value has an unexpected structure.
    #[error("the value of {0} is not built as expected")]
    Value(Label),
    /// A line or a value in the form of another row's, or two joined.
    #[error("the value of {0} holds what belongs to another row, or two values in one: the page is damaged")]
    Line(Label),
    /// A value that is there twice.
    #[error("the value of {0} is there twice: the page is damaged")]
    Doubled(Label),
    /// A value that is a word of another row.
    #[error("the value of {label} is one of {other}: the page is damaged")]
    Exchanged {
        /// The row that holds the value.
        label: Label,
        /// The row that has such values.
        other: Label,
    },
    /// Activities without a principal one, out of order, or with a number left out.
    #[error("the activities are not numbered from the principal one without a gap: the page is damaged")]
    Numbering,
    /// A value that every taxpayer has is empty.
    #[error("the value of {0} is empty")]
    Blank(Label),
    /// Asterisks instead of a value.
    #[error("the value of {0} is masked with asterisks")]
    Masked(Label),
    /// Replacement characters, or text decoded in the wrong charset.
    #[error("the text is garbled: it was written in one charset and read in another")]
    Garbled,
    /// The value of a date row is not a date.
    #[error("the value of {label} is no date")]
    Date {
        /// The row.
        label: Label,
        /// What is wrong with the date.
        #[source]
        cause: DateError,
    },
    /// An address that does not end with a known department, a province and a district.
    #[error("the address does not end with a known department, a province and a district")]
    Address,
}
