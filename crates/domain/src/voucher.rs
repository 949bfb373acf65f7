//! Payment vouchers (comprobantes de pago): what identifies one, and what SUNAT says about it.
//!
//! Issuer ([`Ruc`]), [`VoucherKind`], [`VoucherSeries`] and [`VoucherNumber`] identify a [`Voucher`]; [`IssueDate`] and
//! [`Amount`] must match the issuer's report. The answer has a [`VoucherStatus`], an [`IssuerStatus`] and an
//! [`IssuerCondition`].
//!
//! ```
//! use kuraka_domain::{Amount, Date, IssueDate, VoucherKind, VoucherNumber, VoucherSeries};
//!
//! let kind: VoucherKind = "01".parse()?;
//! let series = VoucherSeries::parse("F001")?.for_kind(kind)?;
//! let number: VoucherNumber = "100672".parse()?;
//! let total: Amount = "118".parse()?;
//! let today = Date::new(2025, 10, 8)?;
//! let issued = IssueDate::new(Date::parse("2025-10-07")?, today)?;
//!
//! assert!(!series.is_physical());
//! assert_eq!(total.to_string(), "118.00");
//! assert_eq!(issued.dmy().to_string(), "07/10/2025");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod amount;
mod answer;
mod issue_date;
mod kind;
mod number;
mod series;

pub use self::amount::{Amount, AmountError};
pub use self::answer::{IssuerCondition, IssuerStatus, VoucherStatus, VoucherValidation};
pub use self::issue_date::{IssueDate, IssueDateError};
pub use self::kind::{VoucherKind, VoucherKindError};
pub use self::number::{VoucherNumber, VoucherNumberError};
pub use self::series::{VoucherSeries, VoucherSeriesError};
use crate::Ruc;

/// A voucher to be validated. SUNAT's report has no total for physical vouchers.
///
/// Equality is textual: the numbers `7` and `007` differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Voucher {
    /// The issuer's RUC.
    pub issuer: Ruc,
    /// The kind of voucher.
    pub kind: VoucherKind,
    /// Checked with [`VoucherSeries::for_kind`].
    pub series: VoucherSeries,
    /// As it was written.
    pub number: VoucherNumber,
    /// The day of issue.
    pub issued: IssueDate,
    /// Taxes included.
    pub total: Amount,
}
