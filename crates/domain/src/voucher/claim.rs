//! A voucher as its holder claims it to be: what identifies it and what must match what the issuer reported.

use super::{Amount, IssueDate, VoucherKind, VoucherNumber, VoucherSeries};
use crate::Ruc;

/// A voucher to be validated. Two claims are equal if they are written alike: `7` and `007` are not.
///
/// Issuer, kind, series and number identify the voucher. Day of issue and total are checked against what was
/// reported; of a physical voucher no total was, so none is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Voucher {
    /// Who issued it.
    pub issuer: Ruc,
    /// Of which kind it is.
    pub kind: VoucherKind,
    /// Its series, which suits the kind.
    pub series: VoucherSeries,
    /// Its number in the series, as it was written.
    pub number: VoucherNumber,
    /// The day of its issue.
    pub issued: IssueDate,
    /// Its total.
    pub total: Amount,
}
