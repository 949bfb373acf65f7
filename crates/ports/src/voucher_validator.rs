//! Validation of vouchers by the tax authority's service.

use async_trait::async_trait;
use kuraka_domain::{Voucher, VoucherValidation};

use crate::{Freshness, SourceError};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoucherAnswer {
    /// Every status is an answer, `NO EXISTE` included.
    pub validation: VoucherValidation,
    /// Never `Cached`: a voucher that does not exist may be reported a minute later.
    pub freshness: Freshness,
}

/// A source that validates vouchers, or a layer around one.
#[async_trait]
pub trait VoucherValidator: Send + Sync + 'static {
    /// One word, for logs and metrics.
    fn name(&self) -> &str;

    /// An answer about this voucher with a status, or an error.
    ///
    /// Safe to call twice. Dropping the future frees the call's resources; the request may continue. `Rejected` if the
    /// source calls the data invalid, with its reason if it gives one; else no usable answer.
    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError>;
}
