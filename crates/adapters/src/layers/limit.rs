//! Limit: bounds the concurrent requests to one source, with a short wait for a permit. Callers must not queue for a
//! slow source, because the next source serves them sooner; only the last source has no next one.

use std::time::Duration;

use kuraka_ports::{SourceError, SourceErrorKind};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::layer::{Answer, Layer};

/// Cancellation: a dropped call releases its permit or its place in the queue.
pub struct Limit {
    permits: Semaphore,
    wait: Duration,
}

/// Long enough for a burst. Under overload it serves as many callers as an immediate refusal; an unbounded wait a fifth
/// of them.
pub const WAIT: Duration = Duration::from_millis(250);
/// At the last source few calls wait, and each would fail after its charge. Within this time a waiting call gets a
/// permit even if all requests began together.
pub const LAST_WAIT: Duration = Duration::from_secs(2);

impl Limit {
    /// At most `limit` concurrent requests.
    pub fn new(limit: usize) -> Self {
        Self { permits: Semaphore::new(limit), wait: WAIT }
    }

    /// The same with [`LAST_WAIT`].
    pub fn for_last_source(limit: usize) -> Self {
        Self { wait: LAST_WAIT, ..Self::new(limit) }
    }
}

impl Layer for Limit {
    async fn around<A: Answer>(
        &self,
        source: &str,
        request: impl Future<Output = Result<A, SourceError>> + Send,
    ) -> Result<A, SourceError> {
        let Ok(Ok(_permit)) = timeout(self.wait, self.permits.acquire()).await else {
            return Err(SourceError::new(source.to_owned(), SourceErrorKind::HeldBack));
        };
        request.await
    }
}
