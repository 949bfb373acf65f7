//! A voucher as its holder describes it, before SUNAT has confirmed it.

use super::{Amount, IssueDate, VoucherKind, VoucherNumber, VoucherSeries};
use crate::Ruc;

/// A voucher to be validated.
///
/// Issuer, kind, series and number identify the voucher. SUNAT compares the day of issue and the total with what the
/// issuer reported, except for the total of a physical voucher, which issuers do not report.
///
/// Two values are equal only if they are written alike: the numbers `7` and `007` differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Voucher {
    /// The issuer's RUC.
    pub issuer: Ruc,
    /// The kind of voucher.
    pub kind: VoucherKind,
    /// The series, which is valid for the kind.
    pub series: VoucherSeries,
    /// The number within the series, as it was written.
    pub number: VoucherNumber,
    /// The day of issue.
    pub issued: IssueDate,
    /// The total amount, taxes included.
    pub total: Amount,
}
