//! Usage in memory.

use async_trait::async_trait;

use super::MemoryStore;
use crate::{AccountId, Lease, Period, StoreResult, UsageLedger};

#[async_trait]
impl UsageLedger for MemoryStore {
    async fn lease(&self, account: AccountId, period: Period, limit: u64, want: u64) -> StoreResult<Lease> {
        let mut rows = self.call()?;
        rows.account(account)?;
        let used = rows.used.entry((account, period)).or_default();
        let granted = want.min(limit.saturating_sub(*used));
        *used += granted;
        Ok(Lease { granted, used: *used })
    }

    async fn settle(&self, account: AccountId, period: Period, unused: u64) -> StoreResult<()> {
        let mut rows = self.call()?;
        let used = rows.used.entry((account, period)).or_default();
        *used = used.saturating_sub(unused);
        Ok(())
    }

    async fn used(&self, account: AccountId, period: Period) -> StoreResult<u64> {
        Ok(self.call()?.used.get(&(account, period)).copied().unwrap_or(0))
    }
}
