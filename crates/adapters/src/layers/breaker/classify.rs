//! Judges a source's health by a call's result.

use std::time::Duration;

use kuraka_ports::{SourceError, SourceErrorKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The source answers; "no such RUC" is an answer.
    Healthy,
    /// The source did not answer this time.
    Failing,
    /// The source answers incorrectly, probably for longer than seconds.
    Distrusted,
    /// The source asks us to wait.
    Throttling {
        /// For how long, if the source says so.
        retry_after: Option<Duration>,
    },
}

/// `None` if the call never reached the source.
pub fn classify<A>(result: &Result<A, SourceError>) -> Option<Verdict> {
    let error = match result {
        Ok(_) => return Some(Verdict::Healthy),
        Err(error) => error,
    };
    match error.kind {
        SourceErrorKind::HeldBack => None,
        SourceErrorKind::Unavailable => Some(Verdict::Failing),
        SourceErrorKind::Throttled { retry_after } => Some(Verdict::Throttling { retry_after }),
        // Refused credentials stay refused, and repeated attempts may lock the account.
        SourceErrorKind::Refused | SourceErrorKind::Unreadable | SourceErrorKind::Credentials => {
            Some(Verdict::Distrusted)
        }
        // The source rejected the request, or gave an answer that only the registry could confirm.
        SourceErrorKind::Rejected | SourceErrorKind::UnverifiedAbsence => Some(Verdict::Healthy),
    }
}
