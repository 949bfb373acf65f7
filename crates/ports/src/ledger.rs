//! The durable count of queries, leased in blocks.

use std::fmt;

use async_trait::async_trait;

use crate::{AccountId, StoreError};

/// A calendar month at UTC−05:00: the period of every plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period {
    /// Year, 1 to 9999.
    pub year: u16,
    /// Month, 1 to 12.
    pub month: u8,
}

/// A block of queries leased from an account's plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Queries of the lease; 0 = all queries of this period are used or leased to other servers.
    pub granted: u64,
    /// Queries used or leased in this period, this lease included.
    pub used: u64,
}

/// The ledger of used queries.
///
/// A leased query counts as used until it is settled: if a process dies, the account loses at most its block.
#[async_trait]
pub trait UsageLedger: Send + Sync + 'static {
    /// Leases up to `want` of the queries that `limit` leaves in `period`. Atomic: concurrent callers never lease more
    /// than the limit. Not safe to call twice; a dropped future may have leased the block, which is then lost to the
    /// account.
    ///
    /// # Errors
    /// `Unavailable`: the caller must grant nothing. `Missing` if there is no such account.
    async fn lease(&self, account: AccountId, period: Period, limit: u64, want: u64) -> Result<Lease, StoreError>;

    /// Returns `unused` queries of a lease. The count does not go below 0. Not safe to call twice.
    ///
    /// # Errors
    /// `Unavailable`: the queries may or may not be returned; the caller treats them as lost.
    async fn settle(&self, account: AccountId, period: Period, unused: u64) -> Result<(), StoreError>;

    /// Queries used or leased in `period`.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn used(&self, account: AccountId, period: Period) -> Result<u64, StoreError>;
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}
