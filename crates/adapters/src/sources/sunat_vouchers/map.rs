//! Turns codes and texts into their meaning. Does no I/O.

use kuraka_domain::{IssuerCondition, IssuerStatus, Voucher, VoucherStatus, VoucherValidation};

use super::parse::Said;

/// What an answer says about its voucher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The voucher's status.
    pub status: VoucherStatus,
    /// The status of the issuer's registration, if the answer has it.
    pub issuer_status: Option<IssuerStatus>,
    /// The condition of the issuer's domicile, if the answer has it.
    pub issuer_condition: Option<IssuerCondition>,
    /// Remarks of the service.
    pub observations: Vec<String>,
}

impl From<Said> for Statement {
    fn from(said: Said) -> Self {
        Self {
            status: VoucherStatus::from_code(&said.status),
            issuer_status: said.issuer_status.as_deref().map(IssuerStatus::from_code),
            issuer_condition: said.issuer_condition.as_deref().map(IssuerCondition::from_code),
            observations: said.observations,
        }
    }
}

impl Statement {
    /// The record about `voucher`.
    #[must_use]
    pub fn about(self, voucher: &Voucher) -> VoucherValidation {
        let Self { status, issuer_status, issuer_condition, observations } = self;
        VoucherValidation {
            issuer: voucher.issuer,
            series: voucher.series,
            number: voucher.number,
            status,
            issuer_status,
            issuer_condition,
            observations,
        }
    }
}
