//! The result of validating one voucher.

use crate::{IssuerCondition, IssuerStatus, Ruc, VoucherNumber, VoucherSeries, VoucherStatus};

/// What SUNAT says about one voucher. Every status is an answer, `NO EXISTE` included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoucherValidation {
    /// The issuer in the request.
    pub issuer: Ruc,
    /// The series in the request.
    pub series: VoucherSeries,
    /// The number in the request, as it was written.
    pub number: VoucherNumber,
    /// The voucher's status.
    pub status: VoucherStatus,
    /// The issuer's registration; `None` if the source does not give it, as for vouchers that do not exist.
    pub issuer_status: Option<IssuerStatus>,
    /// The issuer's domicile; `None` if the source does not give it.
    pub issuer_condition: Option<IssuerCondition>,
    /// SUNAT's remarks, without their leading `- `. An accepted voucher may have some too.
    pub observations: Vec<String>,
}
