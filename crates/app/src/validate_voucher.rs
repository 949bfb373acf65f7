//! Validates a voucher with the voucher service, through its layers.

use std::sync::Arc;

use kuraka_domain::Voucher;
use kuraka_ports::{SourceError, VoucherAnswer, VoucherValidator};

use crate::Grant;

/// The use case behind `POST /cpe`.
pub struct ValidateVoucher {
    validator: Arc<dyn VoucherValidator>,
}

impl ValidateVoucher {
    /// `validator` is the voucher service with its layers.
    #[must_use]
    pub fn new(validator: Arc<dyn VoucherValidator>) -> Self {
        Self { validator }
    }

    /// What the tax authority says about `voucher` now. Every status is an answer, `NO EXISTE` included.
    ///
    /// # Errors
    /// `Rejected` if the service calls the voucher's data invalid. Every other kind: the service gave no usable answer.
    pub async fn run(&self, _grant: &Grant, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        self.validator.validate(voucher).await
    }
}
