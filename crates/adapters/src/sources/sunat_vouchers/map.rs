//! Turns codes and texts into their meaning. Pure.

use kuraka_domain::{IssuerCondition, IssuerStatus, Voucher, VoucherStatus, VoucherValidation};

use super::parse::RawStatement;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub status: VoucherStatus,
    /// The issuer's registration, if stated.
    pub issuer_status: Option<IssuerStatus>,
    /// The issuer's domicile, if stated.
    pub issuer_condition: Option<IssuerCondition>,
    pub observations: Vec<String>,
}

pub(super) fn map(raw: RawStatement) -> Statement {
    Statement {
        status: VoucherStatus::from_code(&raw.status),
        issuer_status: raw.issuer_status.as_deref().map(IssuerStatus::from_code),
        issuer_condition: raw.issuer_condition.as_deref().map(IssuerCondition::from_code),
        observations: raw.observations,
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
