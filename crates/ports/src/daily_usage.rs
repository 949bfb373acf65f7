//! Counts of an account's calls by day, operation and result code, for its owner. The ledger has the charges.

use std::borrow::Cow;

use async_trait::async_trait;
use kuraka_domain::{Date, ResultCode};

use crate::{AccountId, StoreResult};

/// The last part of an operation's path, such as `ruc`. An open set: a store may have names of other versions.
pub type OperationName = Cow<'static, str>;

/// Calls of one operation with one result code on one day in Peru.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DayCount {
    pub day: Date,
    pub operation: OperationName,
    pub code: ResultCode,
    pub count: u64,
}

#[async_trait]
pub trait DailyUsage: Send + Sync + 'static {
    /// Adds all counts or none; drops those of deleted accounts. Not safe to call twice. `Unavailable` or `Unwritable`:
    /// the counts may be added, unless [`crate::StoreError::had_no_effect`].
    async fn add(&self, counts: &[(AccountId, DayCount)]) -> StoreResult<()>;

    /// Since this day, inclusive, by day, operation and code.
    async fn since(&self, account: AccountId, day: Date) -> StoreResult<Vec<DayCount>>;
}
