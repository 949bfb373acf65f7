//! Timeout: limits the total time of one request to one source, from the first byte sent to the last byte read.
//!
//! A timeout for each read would never fire on a page that arrives one byte at a time.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_domain::{Ruc, Voucher};
use kuraka_ports::{DetailAnswer, SourceError, SourceErrorKind, TaxpayerSource, VoucherAnswer, VoucherValidator};
use thiserror::Error;

/// A source with a time limit for each request.
///
/// Cancellation: a dropped call, or one that reaches the limit, drops the request and closes its connection.
pub struct Timeout<S: ?Sized> {
    inner: Arc<S>,
    limit: Duration,
}

impl<S: ?Sized> Timeout<S> {
    /// `inner`, with at most `limit` for each request.
    #[must_use]
    pub fn new(inner: Arc<S>, limit: Duration) -> Self {
        Self { inner, limit }
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: TaxpayerSource + ?Sized> TaxpayerSource for Timeout<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        within(self.limit, self.inner.name(), self.inner.detail(ruc)).await
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: VoucherValidator + ?Sized> VoucherValidator for Timeout<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        within(self.limit, self.inner.name(), self.inner.validate(voucher)).await
    }
}

/// Waits for the answer of `source`, at most `limit`.
pub(super) async fn within<A>(
    limit: Duration,
    source: &str,
    answer: impl Future<Output = Result<A, SourceError>>,
) -> Result<A, SourceError> {
    tokio::time::timeout(limit, answer).await.unwrap_or_else(|_| {
        let late = SourceError::new(source.to_owned(), SourceErrorKind::Unavailable);
        Err(late.with_cause(TimedOut { limit }))
    })
}

/// The source did not answer within its time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no complete answer within {limit:?}")]
pub struct TimedOut {
    /// The time limit.
    pub limit: Duration,
}
