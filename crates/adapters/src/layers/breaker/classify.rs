//! Classify: what the end of a call says about the source's health.

use std::time::Duration;

use kuraka_ports::{SourceError, SourceErrorKind};

/// What the end of a call says about the source's health.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It answers; that a RUC is absent is an answer.
    Healthy,
    /// It did not answer this time.
    Failing,
    /// It answers, but not as it should; waiting a few seconds will not change that.
    Distrusted,
    /// It asks for patience.
    Throttling {
        /// For how long, if it says.
        retry_after: Option<Duration>,
    },
}

/// The verdict on a call; `None` if the call never reached the source.
#[must_use]
pub fn classify<A>(result: &Result<A, SourceError>) -> Option<Verdict> {
    let error = match result {
        Ok(_) => return Some(Verdict::Healthy),
        Err(error) => error,
    };
    match error.kind {
        SourceErrorKind::HeldBack => None,
        SourceErrorKind::Unavailable => Some(Verdict::Failing),
        SourceErrorKind::Throttled { retry_after } => Some(Verdict::Throttling { retry_after }),
        // Credentials that are refused now are refused in a moment, and trying them often gets an account locked.
        SourceErrorKind::Refused | SourceErrorKind::Unreadable | SourceErrorKind::Credentials => {
            Some(Verdict::Distrusted)
        }
        // The source read our question: it found fault with it, or answered what only the registry could confirm.
        SourceErrorKind::Rejected | SourceErrorKind::UnverifiedAbsence => Some(Verdict::Healthy),
    }
}
