//! Failures for which the source is not to blame. They move the fallback on and never open a breaker.

use thiserror::Error;

/// Put as the cause of a [`SourceError`](kuraka_ports::SourceError) when the source itself did nothing wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Blameless {
    /// Our own limit or pace let the question go no further: the source was never asked, so nothing is known of it.
    #[error("the question was held back by our own limit, ask again in a moment")]
    HeldBack,
    /// The source answered readably that the RUC does not exist, and nothing here can confirm it.
    #[error("no registry edition is at hand that is fresh enough to confirm that the RUC does not exist")]
    Uncorroborated,
}
