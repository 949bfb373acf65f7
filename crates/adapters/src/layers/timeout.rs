//! Timeout: limits the total time of one request. A timeout for each read would never fire on a page that arrives one
//! byte at a time.

use std::time::Duration;

use kuraka_ports::{SourceError, SourceErrorKind};
use thiserror::Error;

use super::layer::{Answer, Layer};

/// Cancellation: a call that is dropped or reaches the limit closes its connection.
pub struct Timeout(pub Duration);

impl Layer for Timeout {
    async fn around<A: Answer>(
        &self,
        source: &str,
        request: impl Future<Output = Result<A, SourceError>> + Send,
    ) -> Result<A, SourceError> {
        within(self.0, source, request).await
    }
}

pub(super) async fn within<A>(
    limit: Duration,
    source: &str,
    answer: impl Future<Output = Result<A, SourceError>>,
) -> Result<A, SourceError> {
    tokio::time::timeout(limit, answer).await.unwrap_or_else(|_| {
        let late = SourceError::new(source.to_owned(), SourceErrorKind::Unavailable);
        Err(late.with_cause(TimeoutError { limit }))
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no complete answer within {limit:?}")]
pub struct TimeoutError {
    pub limit: Duration,
}
