//! Limit: how many questions to one source may be under way, with a short bounded wait for a place.
//!
//! A slow source must not gather callers: whoever finds no place soon is better served by the next source.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_domain::Ruc;
use kuraka_ports::{DetailAnswer, SourceError, SourceErrorKind, TaxpayerSource};
use tokio::sync::Semaphore;

use super::Blameless;

/// A source with a number of places.
///
/// Cancellation: a dropped call gives its place back, or its turn in the queue.
pub struct Limit {
    inner: Arc<dyn TaxpayerSource>,
    places: Semaphore,
}

impl Limit {
    /// Long enough to ride out a burst; at overload it serves as many callers as refusing at once does, where an
    /// unbounded wait serves a fifth of them.
    pub const WAIT: Duration = Duration::from_millis(250);

    /// `inner`, with this many places.
    #[must_use]
    pub fn new(inner: Arc<dyn TaxpayerSource>, places: usize) -> Self {
        Self { inner, places: Semaphore::new(places) }
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl TaxpayerSource for Limit {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        match tokio::time::timeout(Self::WAIT, self.places.acquire()).await {
            Ok(Ok(_place)) => self.inner.detail(ruc).await,
            Ok(Err(_)) | Err(_) => {
                let full = SourceError::new(self.name().to_owned(), SourceErrorKind::Unavailable);
                Err(full.because(Blameless::HeldBack))
            }
        }
    }
}
