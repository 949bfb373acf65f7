//! The records a lookup returns, as values.
//!
//! Texts that a source leaves empty are empty, never absent; runs of blanks are folded to one; lists may be empty;
//! dates that a source does not give are `None`. Which source filled a record, and how its fields are named in JSON,
//! is not known here.

mod detail;
mod summary;
mod validation;

pub use self::detail::{ActivityRank, EconomicActivity, ElectronicIssuing, TaxpayerDetail};
pub use self::summary::TaxpayerSummary;
pub use self::validation::VoucherValidation;
