//! The records that lookups return.
//!
//! A text that the source leaves empty is the empty string, and repeated blanks are folded to one. A list may be empty.
//! A date that the source does not give is `None`. These types know neither the source of a record nor the names of its
//! fields in JSON.

mod detail;
mod profile;
mod summary;
mod validation;

pub use self::detail::{ActivityRank, EconomicActivity, ElectronicIssuing, TaxpayerDetail};
pub use self::profile::{AnnexPremises, ListMembership, OpenData, OperatingIncapacity, Sanction, TaxpayerProfile};
pub use self::summary::TaxpayerSummary;
pub use self::validation::VoucherValidation;
