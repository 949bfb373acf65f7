//! A layer around one source: one implementation for both ports.

use std::sync::Arc;

use async_trait::async_trait;
use kuraka_domain::{Ruc, Voucher, VoucherStatus};
use kuraka_ports::{DetailAnswer, SourceError, TaxpayerSource, VoucherAnswer, VoucherValidator};

/// The effect around each request to a source.
pub trait Layer: Send + Sync + 'static {
    /// Awaits `request` to the source `source`, or fails without polling it.
    ///
    /// # Errors
    /// The error of the request, or the layer's own.
    fn around<A: Answer>(
        &self,
        source: &str,
        request: impl Future<Output = Result<A, SourceError>> + Send,
    ) -> impl Future<Output = Result<A, SourceError>> + Send;
}

pub trait Answer: Send {
    /// Whether the answer is about something that exists.
    fn is_found(&self) -> bool;
}

impl Answer for DetailAnswer {
    fn is_found(&self) -> bool {
        self.taxpayer.is_some()
    }
}

impl Answer for VoucherAnswer {
    fn is_found(&self) -> bool {
        self.validation.status != VoucherStatus::NotFound
    }
}

pub struct Layered<L, S: ?Sized> {
    layer: L,
    inner: Arc<S>,
}

impl<L: Layer, S: ?Sized> Layered<L, S> {
    pub fn new(layer: L, inner: Arc<S>) -> Self {
        Self { layer, inner }
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<L: Layer, S: TaxpayerSource + ?Sized> TaxpayerSource for Layered<L, S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        self.layer.around(self.inner.name(), self.inner.detail(ruc)).await
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<L: Layer, S: VoucherValidator + ?Sized> VoucherValidator for Layered<L, S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        self.layer.around(self.inner.name(), self.inner.validate(voucher)).await
    }
}
