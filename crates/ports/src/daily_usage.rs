//! How many calls of each kind an account made on each day, and how they ended: for its owner to look at, and for nobody
//! to be charged by.

use async_trait::async_trait;
use kuraka_domain::{Date, ResultCode};

use crate::{AccountId, StoreError};

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// The lookup of a summary.
    Summary,
    /// The lookup of a detail.
    Detail,
    /// The validation of a voucher.
    Voucher,
}

/// Calls of one kind with one end on one day of Peru.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DayCount {
    /// The day in Peru.
    pub day: Date,
    /// What was called.
    pub operation: Operation,
    /// How it ended.
    pub code: ResultCode,
    /// How often.
    pub count: u64,
}

/// The history of calls, kept.
#[async_trait]
pub trait DailyUsage: Send + Sync + 'static {
    /// Adds counts, all of them or none. Those of an account that is gone are dropped. Not safe to call twice.
    ///
    /// # Errors
    /// `Unavailable`: they may or may not be added.
    async fn add(&self, counts: &[(AccountId, DayCount)]) -> Result<(), StoreError>;

    /// An account's counts from a day on, by day, operation and code.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn since(&self, account: AccountId, day: Date) -> Result<Vec<DayCount>, StoreError>;

    /// Forgets everybody's counts of earlier days.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn forget_before(&self, day: Date) -> Result<(), StoreError>;
}

impl Operation {
    /// Every operation.
    pub const ALL: [Self; 3] = [Self::Summary, Self::Detail, Self::Voucher];

    /// The operation in a word: the last part of its path.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Summary => "ruc",
            Self::Detail => "ruc-official",
            Self::Voucher => "cpe",
        }
    }
}
