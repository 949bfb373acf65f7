//! Timeout: the total time that one question to one source may take, from the first byte sent to the last one read.
//!
//! A limit per read alone never fires on a page that arrives a byte at a time.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_domain::Ruc;
use kuraka_ports::{DetailAnswer, SourceError, SourceErrorKind, TaxpayerSource};
use thiserror::Error;

/// A source that answers in time or not at all.
///
/// Cancellation: a dropped call, or one whose time is over, drops the question and with it the connection.
pub struct Timeout {
    inner: Arc<dyn TaxpayerSource>,
    limit: Duration,
}

impl Timeout {
    /// `inner`, with at most `limit` for each question.
    #[must_use]
    pub fn new(inner: Arc<dyn TaxpayerSource>, limit: Duration) -> Self {
        Self { inner, limit }
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl TaxpayerSource for Timeout {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        within(self.limit, &*self.inner, ruc).await
    }
}

/// Asks `source`, for so long at most.
pub(super) async fn within(
    limit: Duration,
    source: &dyn TaxpayerSource,
    ruc: Ruc,
) -> Result<DetailAnswer, SourceError> {
    tokio::time::timeout(limit, source.detail(ruc)).await.unwrap_or_else(|_| {
        let late = SourceError::new(source.name().to_owned(), SourceErrorKind::Unavailable);
        Err(late.because(TimedOut { limit }))
    })
}

/// The source took too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no complete answer within {limit:?}")]
pub struct TimedOut {
    /// The time it had.
    pub limit: Duration,
}
