//! Fallback: queries the sources in order until one gives the whole answer, within one deadline. The next source is the
//! retry.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use kuraka_domain::{Ruc, Voucher};
use kuraka_ports::{
    DetailAnswer, Origin, SourceError, SourceErrorKind, TaxpayerSource, VoucherAnswer, VoucherValidator, chain,
};
use thiserror::Error;
use tokio::time::Instant;

use super::breaker::BreakerOpenError;
use super::timeout::within;

/// Cancellation: the current request is dropped, and the remaining sources are not queried.
pub struct Fallback<S: ?Sized> {
    name: &'static str,
    /// The setting that an operator without a source needs.
    hint: &'static str,
    sources: Vec<Arc<S>>,
    deadline: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no source is configured, set {hint}")]
pub struct NoSourceError {
    hint: &'static str,
}

/// With less time left a source is not queried: the request would rarely finish, and costs the source as much as any
/// other.
pub const MIN_TIME: Duration = Duration::from_millis(500);

impl Fallback<dyn TaxpayerSource> {
    /// How long an interactive caller waits; the page's 6 s and a provider's 3 s fit.
    pub const DEADLINE: Duration = Duration::from_secs(10);

    /// `sources` of details, the preferred one first.
    pub fn new(sources: Vec<Arc<dyn TaxpayerSource>>, deadline: Duration) -> Self {
        Self { name: "sources", hint: "the official page's address or a provider chain", sources, deadline }
    }
}

impl Fallback<dyn VoucherValidator> {
    /// Voucher validators, the preferred one first.
    pub fn for_validators(sources: Vec<Arc<dyn VoucherValidator>>, deadline: Duration) -> Self {
        Self {
            name: "vouchers",
            hint: "vouchers.ruc, vouchers.client_id and vouchers.client_secret",
            sources,
            deadline,
        }
    }
}

impl<S: ?Sized> Fallback<S> {
    async fn first<A>(
        &self,
        ruc: Ruc,
        name: impl Fn(&S) -> &str,
        ask: impl Fn(&S) -> BoxFuture<'_, Result<A, SourceError>>,
    ) -> Result<A, SourceError> {
        let begun = Instant::now();
        let mut failures = Vec::new();
        for source in &self.sources {
            let left = self.deadline.saturating_sub(begun.elapsed());
            if left < MIN_TIME {
                break;
            }
            match within(left, name(source), ask(source)).await {
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
        let none =
            || SourceError::new(self.name, SourceErrorKind::Unavailable).with_cause(NoSourceError { hint: self.hint });
        Err(most_useful(failures).unwrap_or_else(none))
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl TaxpayerSource for Fallback<dyn TaxpayerSource> {
    fn name(&self) -> &str {
        self.name
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        self.first(ruc, |source| source.name(), |source| source.detail(ruc)).await
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl VoucherValidator for Fallback<dyn VoucherValidator> {
    fn name(&self) -> &str {
        self.name
    }

    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        self.first(voucher.issuer, |source| source.name(), |source| source.validate(voucher)).await
    }
}

/// If a later source answers, only the log shows that an earlier one failed.
fn tell(ruc: Ruc, error: &SourceError) {
    let Origin { request_id, is_test, .. } = Origin::current();
    let (source, class) = (&*error.source, error.kind.as_str());
    let cause = error.cause.as_deref().map(|cause| chain(cause)).unwrap_or_default();
    match error.kind {
        _ if is_test => {
            tracing::debug!(request_id, ?ruc, source, class, cause, test = true, "a source of test data failed")
        }
        SourceErrorKind::Unreadable | SourceErrorKind::Credentials => {
            tracing::error!(request_id, ?ruc, source, class, cause, "a source needs operator action");
        }
        SourceErrorKind::Refused | SourceErrorKind::Throttled { .. } => {
            tracing::warn!(request_id, ?ruc, source, class, cause, "a source refused the request");
        }
        // The caller gets the reason.
        SourceErrorKind::Rejected => {
            tracing::debug!(request_id, ?ruc, source, class, cause, "a source called the request invalid")
        }
        SourceErrorKind::Unavailable if !breaker_is_open(error) => {
            tracing::warn!(request_id, ?ruc, source, class, cause, "a source did not answer");
        }
        // Kuraka chose not to query the source or not to believe it. Under overload every call ends so.
        SourceErrorKind::Unavailable | SourceErrorKind::HeldBack | SourceErrorKind::UnverifiedAbsence => {
            tracing::debug!(request_id, ?ruc, source, class, cause, "a source was skipped");
        }
    }
}

fn breaker_is_open(error: &SourceError) -> bool {
    error.cause.as_ref().is_some_and(|cause| cause.is::<BreakerOpenError>())
}

/// The most actionable failure; among equals the last.
fn most_useful(failures: Vec<SourceError>) -> Option<SourceError> {
    let usefulness = |error: &SourceError| match error.kind {
        SourceErrorKind::Credentials => 4,
        SourceErrorKind::Unreadable => 3,
        SourceErrorKind::Refused => 2,
        SourceErrorKind::Throttled { .. } => 1,
        SourceErrorKind::Rejected
        | SourceErrorKind::Unavailable
        | SourceErrorKind::HeldBack
        | SourceErrorKind::UnverifiedAbsence => 0,
    };
    failures.into_iter().max_by_key(usefulness)
}
