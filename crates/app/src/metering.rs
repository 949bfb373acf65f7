//! What accounts use: the plan's rate, the queries of the month under leases, and counts of calls.

mod account_meters;
mod active;
mod calls;
pub mod plan;
pub mod quota;
pub mod rate;
pub mod usage;

pub(crate) use account_meters::AccountMeter;
pub use account_meters::AccountMeters;
pub(crate) use active::{ActiveList, Listed};
