//! Counts of an account's calls by day, operation and result code, for its owner. The ledger has the charges.

use std::borrow::Cow;

use async_trait::async_trait;
use kuraka_domain::{Date, ResultCode};

use crate::{AccountId, StoreError};

/// The last part of an operation's path, `ruc`. An open set: a store may hold names that this version does not have.
pub type OperationName = Cow<'static, str>;

/// Number of calls of one operation with one result code on one day in Peru.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DayCount {
    /// The day in Peru.
    pub day: Date,
    /// The operation.
    pub operation: OperationName,
    /// The result code of the calls.
    pub code: ResultCode,
    /// Number of calls.
    pub count: u64,
}

/// Stores the counts of calls by day.
#[async_trait]
pub trait DailyUsage: Send + Sync + 'static {
    /// Adds all counts or none. Counts of deleted accounts are dropped. Not safe to call twice.
    ///
    /// # Errors
    /// `Unavailable` or `Unwritable`. The counts may be added nevertheless, unless [`StoreError::had_no_effect`].
    async fn add(&self, counts: &[(AccountId, DayCount)]) -> Result<(), StoreError>;

    /// An account's counts since a day (included), sorted by day, operation and code.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn since(&self, account: AccountId, day: Date) -> Result<Vec<DayCount>, StoreError>;

    /// Deletes the counts of earlier days, of all accounts.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn forget_before(&self, day: Date) -> Result<(), StoreError>;
}
