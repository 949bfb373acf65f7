//! Metered: tells an observer how each call ended and how long it took. Refuses to know what is done with it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_domain::Ruc;
use kuraka_ports::{Clock, DetailAnswer, SourceError, SourceErrorKind, TaxpayerSource};

use super::Blameless;

/// Whoever counts. Called on the caller's path: it must not block.
pub trait Observer: Send + Sync + 'static {
    /// Takes note of one call.
    fn observe(&self, call: Observation<'_>);
}

/// One call, as it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation<'a> {
    /// Who was asked, in a word.
    pub source: &'a str,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took.
    pub latency: Duration,
}

/// How a call ended: a closed set, so that it can be a metric's label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// With a record.
    Found,
    /// With a positive "no such RUC".
    NotFound,
    /// With an error of this kind.
    Failed(SourceErrorKind),
    /// With a "no such RUC" that could not be confirmed.
    Unconfirmed,
    /// Before the source was asked: our own limit or pace held it back.
    HeldBack,
    /// Not at all: the caller went away.
    Dropped,
}

impl Outcome {
    fn of(result: &Result<DetailAnswer, SourceError>) -> Self {
        match result {
            Ok(DetailAnswer { taxpayer: Some(_), .. }) => Self::Found,
            Ok(DetailAnswer { taxpayer: None, .. }) => Self::NotFound,
            Err(error) => match Blameless::behind(error) {
                Some(Blameless::HeldBack) => Self::HeldBack,
                Some(Blameless::Uncorroborated) => Self::Unconfirmed,
                None => Self::Failed(error.kind),
            },
        }
    }

    /// The outcome in a word, for logs and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::NotFound => "not_found",
            Self::Failed(kind) => kind.as_str(),
            Self::Unconfirmed => "unconfirmed",
            Self::HeldBack => "held_back",
            Self::Dropped => "dropped",
        }
    }
}

/// A source whose calls are observed.
///
/// Cancellation: a dropped call is observed as [`Outcome::Dropped`] with the time until then.
pub struct Metered {
    inner: Arc<dyn TaxpayerSource>,
    observer: Arc<dyn Observer>,
    clock: Arc<dyn Clock>,
}

impl Metered {
    /// `inner`, observed.
    #[must_use]
    pub fn new(inner: Arc<dyn TaxpayerSource>, observer: Arc<dyn Observer>, clock: Arc<dyn Clock>) -> Self {
        Self { inner, observer, clock }
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl TaxpayerSource for Metered {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        let mut call = Call { metered: self, started: self.clock.monotonic(), outcome: Outcome::Dropped };
        let result = self.inner.detail(ruc).await;
        call.outcome = Outcome::of(&result);
        result
    }
}

/// A call under way; observed when it is dropped, which is how every call ends.
struct Call<'a> {
    metered: &'a Metered,
    started: Duration,
    outcome: Outcome,
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        self.metered.observer.observe(Observation {
            source: self.metered.name(),
            outcome: self.outcome,
            latency: self.metered.clock.monotonic().saturating_sub(self.started),
        });
    }
}
