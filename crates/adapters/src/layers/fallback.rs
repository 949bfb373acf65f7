//! Fallback: asks the sources in order until one answers, within one deadline. An answer comes whole from one source.
//!
//! There is no retry: the next source is the retry.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_domain::Ruc;
use kuraka_ports::{DetailAnswer, SourceError, SourceErrorKind, TaxpayerSource};
use thiserror::Error;
use tokio::time::Instant;

use super::Blameless;
use super::breaker::BreakerOpen;
use super::timeout::within;
use crate::chain::chain;

/// Several sources as one.
///
/// Cancellation: the source that is being asked is dropped, the others are never asked.
pub struct Fallback {
    sources: Vec<Arc<dyn TaxpayerSource>>,
    deadline: Duration,
}

/// There is no source to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no source is configured, set the official page's address or a provider chain")]
pub struct NobodyToAsk;

impl Fallback {
    /// What a caller of an interactive service waits for; the page's 6 s and a provider's 3 s fit into it.
    pub const DEADLINE: Duration = Duration::from_secs(10);
    /// With less time than this left a source is not asked: connection, TLS and answer rarely fit, and a question
    /// that is sure to be dropped costs the source as much as any other.
    pub const LEAST_TIME: Duration = Duration::from_millis(500);
    const NAME: &'static str = "sources";

    /// `sources`, the preferred one first, with `deadline` for all of them together.
    #[must_use]
    pub fn new(sources: Vec<Arc<dyn TaxpayerSource>>, deadline: Duration) -> Self {
        Self { sources, deadline }
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl TaxpayerSource for Fallback {
    fn name(&self) -> &str {
        Self::NAME
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        let begun = Instant::now();
        let mut failures = Vec::new();
        for source in &self.sources {
            let left = self.deadline.saturating_sub(begun.elapsed());
            if left < Self::LEAST_TIME {
                break;
            }
            match within(left, &**source, ruc).await {
                Ok(answer) => return Ok(answer),
                Err(error) => {
                    tell(ruc, &error);
                    if !error.kind.may_ask_another() {
                        return Err(error);
                    }
                    failures.push(error);
                }
            }
        }
        Err(most_useful(failures))
    }
}

/// The log is the only place where a failure shows that another source made good.
fn tell(ruc: Ruc, error: &SourceError) {
    let (source, class) = (&*error.source, error.kind.as_str());
    let cause = error.cause.as_deref().map(|cause| chain(cause)).unwrap_or_default();
    match error.kind {
        SourceErrorKind::Unreadable | SourceErrorKind::Credentials => {
            tracing::error!(?ruc, source, class, cause, "a source needs the operator");
        }
        SourceErrorKind::Refused | SourceErrorKind::Throttled { .. } | SourceErrorKind::Rejected => {
            tracing::warn!(?ruc, source, class, cause, "a source turned the question down");
        }
        SourceErrorKind::Unavailable if was_spared(error) => {
            tracing::debug!(?ruc, source, class, cause, "a source was passed over");
        }
        SourceErrorKind::Unavailable => {
            tracing::warn!(?ruc, source, class, cause, "a source did not answer");
        }
    }
}

/// Whether we ourselves chose not to believe or not to ask the source: at overload that is every call, and no news.
fn was_spared(error: &SourceError) -> bool {
    Blameless::behind(error).is_some() || error.cause.as_ref().is_some_and(|cause| cause.is::<BreakerOpen>())
}

/// Of several failures the one that somebody can do most about; of equals the last.
fn most_useful(failures: Vec<SourceError>) -> SourceError {
    let usefulness = |error: &SourceError| match error.kind {
        SourceErrorKind::Credentials => Reverse(0),
        SourceErrorKind::Unreadable => Reverse(1),
        SourceErrorKind::Refused => Reverse(2),
        SourceErrorKind::Throttled { .. } => Reverse(3),
        SourceErrorKind::Rejected | SourceErrorKind::Unavailable => Reverse(4),
    };
    failures
        .into_iter()
        .max_by_key(usefulness)
        .unwrap_or_else(|| SourceError::new(Fallback::NAME, SourceErrorKind::Unavailable).because(NobodyToAsk))
}
