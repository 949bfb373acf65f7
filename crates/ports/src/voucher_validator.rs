//! Validation of vouchers by the tax authority's service.

use async_trait::async_trait;
use kuraka_domain::{Voucher, VoucherValidation};

use crate::{Freshness, SourceError};

/// The answer about one voucher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoucherAnswer {
    /// Every status is an answer, `NO EXISTE` included.
    pub validation: VoucherValidation,
    /// `Live` or `Sandbox`; never `Cached`, because a voucher that does not exist may be reported a minute later.
    pub freshness: Freshness,
}

/// A source that validates vouchers, or a layer around one.
#[async_trait]
pub trait VoucherValidator: Send + Sync + 'static {
    /// One word, for logs and metrics.
    fn name(&self) -> &str;

    /// Queries the source about `voucher`. The answer is about this voucher and has a status, or there is an error.
    ///
    /// Safe to call twice. Dropping the future frees the resources of the call; the request to the source may continue.
    ///
    /// # Errors
    /// `Rejected` if the source calls the voucher's data invalid, with its reason if it gives one. Every other kind: no
    /// usable answer.
    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError>;
}
