//! Why an answer is refused, and why a provider cannot be used. Errors never quote a value, which may be personal data.

use std::time::Duration;

use kuraka_domain::DateError;
use kuraka_ports::SourceErrorKind;
use thiserror::Error;

use super::field::Field;
use crate::sources::activity::ActivityError;
use crate::sources::text::TextError;

#[derive(Debug, Error)]
pub(super) enum AnswerError {
    #[error("the provider refuses our credentials (status {status}): check the token and the plan behind it")]
    Credentials { status: u16 },
    #[error("the provider is rate-limiting this client (429)")]
    Throttled { retry_after: Option<Duration> },
    #[error("the provider answers with status {status}")]
    Unavailable { status: u16 },
    #[error(transparent)]
    Unreadable(#[from] UnreadableAnswerError),
}

impl AnswerError {
    pub(super) const fn kind(&self) -> SourceErrorKind {
        match self {
            Self::Credentials { .. } => SourceErrorKind::Credentials,
            Self::Throttled { retry_after } => SourceErrorKind::Throttled { retry_after: *retry_after },
            Self::Unavailable { .. } => SourceErrorKind::Unavailable,
            Self::Unreadable(_) => SourceErrorKind::Unreadable,
        }
    }
}

#[derive(Debug, Error)]
pub(super) enum UnreadableAnswerError {
    /// Not JSON, or JSON with the same key twice.
    #[error("the answer is not one JSON document: {0}")]
    NotJson(serde_json::Error),
    #[error("no rule in the provider file matches this answer (status {status})")]
    UnknownAnswer { status: u16 },
    /// The answer denies the taxpayer, but contains one.
    #[error("the answer says that there is no such taxpayer and shows one")]
    Contradiction,
    #[error("the answer does not say which RUC it is about")]
    NoRuc,
    #[error("the answer is about another RUC")]
    OtherRuc,
    #[error("the field {field} is not at {at}")]
    Missing { field: Field, at: Box<str> },
    #[error("the field {field} at {at} has an unexpected type or format")]
    Form { field: Field, at: Box<str> },
    /// Mojibake, too long, or with control characters.
    #[error("the field {field} {fault}")]
    Text { field: Field, fault: TextError },
    #[error("the field {0} is empty or masked")]
    Empty(Field),
    #[error("the field {field} is no date: {fault}")]
    Date { field: Field, fault: DateError },
    #[error("the field department names none of the 25 departments")]
    Department,
    #[error(transparent)]
    Activity(#[from] ActivityError),
}

#[derive(Debug, Error)]
pub enum ProviderError {
    #[error("the provider {0} needs a token: set one, or take the provider out of the chain")]
    NoToken(Box<str>),
    #[error("the token of the provider {0} has characters that a header cannot carry: look for a line end or a quote")]
    Token(Box<str>),
    #[error("the address of the provider {provider} {why}")]
    Address { provider: Box<str>, why: &'static str },
}
