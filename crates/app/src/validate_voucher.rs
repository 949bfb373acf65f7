//! The use case that validates a voucher with SUNAT's voucher service.

use std::sync::Arc;

use kuraka_domain::Voucher;
use kuraka_ports::{SourceError, VoucherAnswer, VoucherValidator};

use crate::Grant;

/// Implements `POST /cpe`.
pub struct ValidateVoucher {
    validator: Arc<dyn VoucherValidator>,
}

impl ValidateVoucher {
    /// `validator` is the voucher service, with all layers around it.
    #[must_use]
    pub fn new(validator: Arc<dyn VoucherValidator>) -> Self {
        Self { validator }
    }

    /// SUNAT's current answer about `voucher`. Every status is an answer, including `NO EXISTE`.
    ///
    /// # Errors
    /// `Rejected` if the service reports that the voucher's data is invalid. Any other kind: no usable answer.
    pub async fn run(&self, _grant: &Grant, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        self.validator.validate(voucher).await
    }
}
