//! Failures for which the source is not to blame. They move the fallback on and never open a breaker.

use kuraka_ports::SourceError;
use thiserror::Error;

/// Put as the cause of a [`SourceError`] when the source itself did nothing wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Blameless {
    /// Our own limit or pace let the question go no further: the source was never asked, so nothing is known of it.
    #[error("the question was held back by our own limit, ask again in a moment")]
    HeldBack,
    /// The source answered readably that the RUC does not exist, and nothing here can confirm it.
    #[error("no registry edition is at hand that is fresh enough to confirm that the RUC does not exist")]
    UnverifiedAbsence,
}

impl Blameless {
    /// The reason why the source is not to blame for this error, if it is not.
    #[must_use]
    pub fn behind(error: &SourceError) -> Option<Self> {
        error.cause.as_ref()?.downcast_ref().copied()
    }
}
