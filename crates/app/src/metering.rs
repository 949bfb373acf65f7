//! Metering of accounts: the plan's rate, the leased queries of the month, and the counts of calls.

mod account_meters;
mod calls;
pub mod plan;
pub mod quota;
pub mod rate;
pub mod usage;

pub(crate) use account_meters::AccountMeter;
pub use account_meters::AccountMeters;
