//! Validating a voucher: whoever the validator's stack asks, and nothing else.

use std::sync::Arc;

use kuraka_domain::Voucher;
use kuraka_ports::{SourceError, VoucherAnswer, VoucherValidator};

use crate::Grant;

/// The use case behind `POST /cpe`.
pub struct ValidateVoucher {
    validator: Arc<dyn VoucherValidator>,
}

impl ValidateVoucher {
    /// Asks `validator`, which stands for the service with its layers.
    #[must_use]
    pub fn new(validator: Arc<dyn VoucherValidator>) -> Self {
        Self { validator }
    }

    /// What the tax authority says of `voucher` now. Every status is an answer, `NO EXISTE` included.
    ///
    /// # Errors
    /// `Rejected` if the voucher's data are called invalid; any other kind: nobody could find out.
    pub async fn run(&self, _grant: &Grant, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        self.validator.validate(voucher).await
    }
}
