//! Why the service could not be asked, or its answer not be believed.
//!
//! Evidence names fields, never what stands there, and never a credential.

use std::time::Duration;

use kuraka_ports::SourceErrorKind;
use thiserror::Error;

use super::super::wire::BodyError;
use crate::sources::text::TextFault;

/// An exchange that gave neither a token nor a validation.
#[derive(Debug, Error)]
pub enum Failure {
    /// The connection failed, broke or dawdled. The address is taken out: it holds the client's id.
    #[error("the {side} did not answer")]
    Transport {
        /// Which of the two.
        side: Side,
        /// What went wrong.
        source: reqwest::Error,
    },
    /// A fault of the service's own.
    #[error("the {side} answers with status {status}")]
    Down {
        /// Which of the two.
        side: Side,
        /// The HTTP status.
        status: u16,
    },
    /// The service asks for patience.
    #[error("the {side} asks for patience")]
    Throttled {
        /// Which of the two.
        side: Side,
        /// For how long, if it says.
        retry_after: Option<Duration>,
    },
    /// A firewall answers in the service's place.
    #[error("a firewall answers in place of the {side} (status {status}): look at the address we are seen from")]
    Refused {
        /// Which of the two.
        side: Side,
        /// The HTTP status.
        status: u16,
    },
    /// Our credentials are not accepted.
    #[error("the {side} refuses our credentials (status {status}): check vouchers.client_id, client_secret and ruc")]
    Credentials {
        /// Which of the two.
        side: Side,
        /// The HTTP status.
        status: u16,
    },
    /// No credentials are left to ask with.
    #[error("every set of credentials was refused a short while ago and is rested")]
    Resting,
    /// The service finds fault with the voucher's data.
    #[error("the service calls the voucher's data invalid (status {status})")]
    Rejected {
        /// The HTTP status.
        status: u16,
        /// Why, in its own words.
        reason: Box<str>,
    },
    /// The answer cannot be believed.
    #[error("the answer of the {side} cannot be read")]
    Unreadable {
        /// Which of the two.
        side: Side,
        /// Why.
        source: Unreadable,
    },
    /// The task that asked for a token is gone without one: it panicked, or its runtime has shut down.
    #[error("the task that asked for a token ended without an answer, see the log before this line")]
    Lost,
}

/// Which of the two was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Whoever gives out tokens.
    TokenEndpoint,
    /// Whoever validates.
    Api,
}

/// Why an answer cannot be believed.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// The body cannot be had.
    #[error(transparent)]
    Body(#[from] BodyFault),
    /// Not JSON, or JSON that says one thing twice.
    #[error("it is not one JSON document")]
    NotJson(#[source] serde_json::Error),
    /// A status with which nothing is said of a voucher.
    #[error("the status {status} says nothing about a voucher")]
    Status {
        /// The HTTP status.
        status: u16,
    },
    /// The answer does not say that it is one.
    #[error("it does not say that it succeeded")]
    NoSuccess,
    /// A field is not there.
    #[error("the field {0} is missing")]
    Missing(&'static str),
    /// A field is not of the form it should have.
    #[error("the field {0} has another form than it should")]
    Form(&'static str),
    /// A text cannot be believed.
    #[error("the field {field} {fault}")]
    Text {
        /// The field.
        field: &'static str,
        /// Why not.
        fault: TextFault,
    },
}

/// Why a body cannot be had although it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BodyFault {
    /// Longer than an answer can be.
    #[error("it is longer than 2 MiB")]
    TooLong,
    /// Compressed, though this was not asked for.
    #[error("it is encoded although it was asked for as it is")]
    Encoded,
}

impl Failure {
    /// Why the service finds fault with the voucher's data, in its own words, if it does.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        if let Self::Rejected { reason, .. } = self { Some(reason) } else { None }
    }

    /// What the port calls it.
    #[must_use]
    pub const fn kind(&self) -> SourceErrorKind {
        match self {
            Self::Transport { .. } | Self::Down { .. } | Self::Lost => SourceErrorKind::Unavailable,
            Self::Throttled { retry_after, .. } => SourceErrorKind::Throttled { retry_after: *retry_after },
            Self::Refused { .. } => SourceErrorKind::Refused,
            Self::Credentials { .. } | Self::Resting => SourceErrorKind::Credentials,
            Self::Rejected { .. } => SourceErrorKind::Rejected,
            Self::Unreadable { .. } => SourceErrorKind::Unreadable,
        }
    }
}

impl Side {
    /// What becomes of an exchange whose body could not be had.
    pub(super) fn without_body(self, error: BodyError) -> Failure {
        let fault = match error {
            BodyError::Transport(source) => return Failure::Transport { side: self, source },
            BodyError::TooLong => BodyFault::TooLong,
            BodyError::Encoded => BodyFault::Encoded,
        };
        self.unreadable(fault)
    }

    pub(super) fn unreadable(self, why: impl Into<Unreadable>) -> Failure {
        Failure::Unreadable { side: self, source: why.into() }
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
