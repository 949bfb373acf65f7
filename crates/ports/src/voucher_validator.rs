//! Who says whether a voucher is good: the tax authority's validation service.

use async_trait::async_trait;
use kuraka_domain::{Voucher, VoucherValidation};

use crate::{Freshness, SourceError};

/// What is said of one voucher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoucherAnswer {
    /// What is said. Every status is an answer, `NO EXISTE` included.
    pub validation: VoucherValidation,
    /// `Live`, or `Sandbox` from a stand-in; never `Cached`, because a voucher that does not exist may be reported
    /// in a minute.
    pub freshness: Freshness,
}

/// A source that validates vouchers, or a layer around one.
#[async_trait]
pub trait VoucherValidator: Send + Sync + 'static {
    /// The source in a word, for logs and metrics.
    fn name(&self) -> &str;

    /// What the source says of `voucher`, asked just now. The answer is about `voucher` and has a status, or it is
    /// an error.
    ///
    /// Safe to call twice. Dropping the future gives back whatever the call held; the question itself may go on.
    ///
    /// # Errors
    /// `Rejected` if the source calls the voucher's data invalid, with its reason where it gives one. Every other
    /// kind: it could not be found out.
    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError>;
}
