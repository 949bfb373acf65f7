//! The durable count of queries, leased in blocks.

use async_trait::async_trait;

use crate::{AccountId, Period, StoreResult};

/// A block of queries leased from an account's plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// 0 = all queries of the period are used or leased.
    pub granted: u64,
    /// Used or leased in the period, this lease included.
    pub used: u64,
}

/// Counts used queries. A leased query counts as used until it is settled: if a process dies, the account loses at most
/// its block.
#[async_trait]
pub trait UsageLedger: Send + Sync + 'static {
    /// Leases up to `want` of what `limit` leaves in `period`. Atomic: concurrent callers never exceed the limit. Not
    /// safe to call twice; a dropped future may have leased the block, which is then lost. `Unavailable`: grant
    /// nothing. `Missing` if there is no such account.
    async fn lease(&self, account: AccountId, period: Period, limit: u64, want: u64) -> StoreResult<Lease>;

    /// Returns `unused` queries of a lease; the count stays at 0 or above. Not safe to call twice. `Unavailable`: the
    /// queries may be returned or not; treat them as lost.
    async fn settle(&self, account: AccountId, period: Period, unused: u64) -> StoreResult<()>;

    /// Used or leased in `period`.
    async fn used(&self, account: AccountId, period: Period) -> StoreResult<u64>;
}
