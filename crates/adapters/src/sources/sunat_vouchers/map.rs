//! Codes and texts in, what they mean out: pure.

use kuraka_domain::{IssuerCondition, IssuerStatus, Voucher, VoucherStatus, VoucherValidation};

use super::parse::Said;

/// What an answer says of the voucher that was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The voucher's status.
    pub status: VoucherStatus,
    /// The issuer's registration, if anything is said of it.
    pub issuer_status: Option<IssuerStatus>,
    /// The issuer's domicile, if anything is said of it.
    pub issuer_condition: Option<IssuerCondition>,
    /// Remarks.
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
