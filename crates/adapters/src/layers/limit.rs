//! Limit: bounds the concurrent requests to one source, with a short wait for a free permit.
//!
//! Callers must not queue for a slow source: the next source serves them sooner.

use std::time::Duration;

use kuraka_ports::{SourceError, SourceErrorKind};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::layer::{Answer, Layer};

/// The limit of concurrent requests to one source.
///
/// Cancellation: a dropped call releases its permit, or its turn in the queue.
pub struct Limit {
    permits: Semaphore,
}

/// Long enough for a burst. Under overload it serves as many callers as an immediate refusal; an unbounded wait serves
/// a fifth of them.
pub const WAIT: Duration = Duration::from_millis(250);

impl Limit {
    /// At most `limit` concurrent requests.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { permits: Semaphore::new(limit) }
    }
}

impl Layer for Limit {
    async fn around<A: Answer>(
        &self,
        source: &str,
        request: impl Future<Output = Result<A, SourceError>> + Send,
    ) -> Result<A, SourceError> {
        let Ok(Ok(_permit)) = timeout(WAIT, self.permits.acquire()).await else {
            return Err(SourceError::new(source.to_owned(), SourceErrorKind::HeldBack));
        };
        request.await
    }
}
