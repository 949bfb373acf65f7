//! What the tax authority says about one voucher, once read.

use crate::{IssuerCondition, IssuerStatus, Ruc, VoucherNumber, VoucherSeries, VoucherStatus};

/// What the tax authority says about one voucher. Every status is an answer, `NO EXISTE` included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoucherValidation {
    /// The issuer asked about.
    pub issuer: Ruc,
    /// The series asked about.
    pub series: VoucherSeries,
    /// The number asked about, as it was written.
    pub number: VoucherNumber,
    /// The voucher's status.
    pub status: VoucherStatus,
    /// The issuer's registration; `None` if the source is silent, as it is about vouchers that do not exist.
    pub issuer_status: Option<IssuerStatus>,
    /// The issuer's domicile; `None` if the source is silent.
    pub issuer_condition: Option<IssuerCondition>,
    /// Remarks, for information: an accepted voucher may carry some. Without the source's leading `- `.
    pub observations: Vec<String>,
}
