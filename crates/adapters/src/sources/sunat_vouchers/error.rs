//! Why the service gave no answer, or why its answer is refused. Errors name fields and never quote a value or a
//! credential.

use std::time::Duration;

use kuraka_ports::SourceErrorKind;
use thiserror::Error;

use crate::sources::text::TextError;
use crate::sources::wire::BodyError;

#[derive(Debug, Error)]
pub(super) enum AnswerError {
    /// The connection failed or was too slow. The error has no URL, which holds the client's id.
    #[error("the {side} did not answer")]
    Transport { side: Side, source: reqwest::Error },
    #[error("the answer of the {side} has no usable body")]
    Body { side: Side, source: BodyError },
    #[error("the {side} answers with status {status}")]
    Down { side: Side, status: u16 },
    #[error("the {side} is rate-limiting this client (429)")]
    Throttled { side: Side, retry_after: Option<Duration> },
    /// A firewall answers instead of the service.
    #[error("a firewall answers in place of the {side} (status {status}): check this machine's public IP address")]
    Refused { side: Side, status: u16 },
    #[error("the {side} refuses our credentials (status {status}): check vouchers.client_id, client_secret and ruc")]
    Credentials { side: Side, status: u16 },
    /// Every set of credentials was refused a short while ago.
    #[error("all credentials were refused in the last 5 minutes")]
    Resting,
    /// The service calls the voucher's data invalid.
    #[error("the service rejects the voucher's data as invalid (status {status})")]
    Rejected { status: u16, reason: Box<str> },
    #[error("the answer of the {side} cannot be read")]
    Unreadable { side: Side, source: UnreadableAnswerError },
    /// The task of a token request panicked, or its runtime has shut down.
    #[error("the task that asked for a token ended without an answer, see the log before this line")]
    Lost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    TokenEndpoint,
    Api,
}

#[derive(Debug, Error)]
pub(super) enum UnreadableAnswerError {
    /// Not JSON, or JSON with the same key twice.
    #[error("it is not one JSON document")]
    NotJson(#[source] serde_json::Error),
    #[error("the status {status} says nothing about a voucher")]
    Status { status: u16 },
    #[error("`success` is not true")]
    NoSuccess,
    #[error("the field {0} is missing")]
    Missing(&'static str),
    /// Happens at times: no reason to distrust the service.
    #[error("the field estadoCp is missing")]
    NoStatus,
    #[error("the field {0} has an unexpected type or format")]
    Form(&'static str),
    /// Mojibake, too long, or with control characters.
    #[error("the field {field} {fault}")]
    Text { field: &'static str, fault: TextError },
}

impl AnswerError {
    /// The service's reason for rejecting the voucher's data.
    pub(super) fn reason(&self) -> Option<&str> {
        if let Self::Rejected { reason, .. } = self { Some(reason) } else { None }
    }

    pub(super) const fn kind(&self) -> SourceErrorKind {
        match self {
            Self::Transport { .. } | Self::Down { .. } | Self::Lost => SourceErrorKind::Unavailable,
            Self::Unreadable { source: UnreadableAnswerError::NoStatus, .. } => SourceErrorKind::Unavailable,
            Self::Body { source, .. } => source.kind(),
            Self::Throttled { retry_after, .. } => SourceErrorKind::Throttled { retry_after: *retry_after },
            Self::Refused { .. } => SourceErrorKind::Refused,
            Self::Credentials { .. } | Self::Resting => SourceErrorKind::Credentials,
            Self::Rejected { .. } => SourceErrorKind::Rejected,
            Self::Unreadable { .. } => SourceErrorKind::Unreadable,
        }
    }
}

impl Side {
    pub(super) const fn unreadable(self, source: UnreadableAnswerError) -> AnswerError {
        AnswerError::Unreadable { side: self, source }
    }
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TokenEndpoint => "token endpoint",
            Self::Api => "validation service",
        })
    }
}
