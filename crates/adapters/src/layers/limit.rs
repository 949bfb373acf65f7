//! Limit: bounds the concurrent requests to one source, with a short wait for a free place.
//!
//! Callers must not queue for a slow source: the next source serves them sooner.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_domain::{Ruc, Voucher};
use kuraka_ports::{DetailAnswer, SourceError, SourceErrorKind, TaxpayerSource, VoucherAnswer, VoucherValidator};
use tokio::sync::{Semaphore, SemaphorePermit};

/// A source with a limited number of places.
///
/// Cancellation: a dropped call frees its place, or its turn in the queue.
pub struct Limit<S: ?Sized> {
    inner: Arc<S>,
    places: Semaphore,
}

/// Long enough for a burst. Under overload it serves as many callers as an immediate refusal; an unbounded wait serves
/// a fifth of them.
pub const WAIT: Duration = Duration::from_millis(250);

impl<S: ?Sized> Limit<S> {
    /// `inner`, with this many places.
    #[must_use]
    pub fn new(inner: Arc<S>, places: usize) -> Self {
        Self { inner, places: Semaphore::new(places) }
    }

    async fn place(&self, source: &str) -> Result<SemaphorePermit<'_>, SourceError> {
        match tokio::time::timeout(WAIT, self.places.acquire()).await {
            Ok(Ok(place)) => Ok(place),
            Ok(Err(_)) | Err(_) => Err(SourceError::new(source.to_owned(), SourceErrorKind::HeldBack)),
        }
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: TaxpayerSource + ?Sized> TaxpayerSource for Limit<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        let _place = self.place(self.inner.name()).await?;
        self.inner.detail(ruc).await
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: VoucherValidator + ?Sized> VoucherValidator for Limit<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        let _place = self.place(self.inner.name()).await?;
        self.inner.validate(voucher).await
    }
}
