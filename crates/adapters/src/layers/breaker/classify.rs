//! Classify: what the end of a call says about the source's health.

use std::time::Duration;

use kuraka_ports::{SourceError, SourceErrorKind};

use crate::layers::Blameless;

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
    match Blameless::behind(error) {
        Some(Blameless::HeldBack) => return None,
        Some(Blameless::UnverifiedAbsence) => return Some(Verdict::Healthy),
        None => {}
    }
    Some(match error.kind {
        SourceErrorKind::Unavailable => Verdict::Failing,
        SourceErrorKind::Throttled { retry_after } => Verdict::Throttling { retry_after },
        // Credentials that are refused now are refused in a moment, and trying them often gets an account locked.
        SourceErrorKind::Refused | SourceErrorKind::Unreadable | SourceErrorKind::Credentials => Verdict::Distrusted,
        // The source read our question well enough to find fault with it.
        SourceErrorKind::Rejected => Verdict::Healthy,
    })
}
