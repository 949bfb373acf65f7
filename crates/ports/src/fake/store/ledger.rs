//! Usage in memory.

use async_trait::async_trait;

use super::MemoryStore;
use crate::{AccountId, Lease, Period, StoreError, UsageLedger};

#[async_trait]
impl UsageLedger for MemoryStore {
    async fn lease(&self, account: AccountId, period: Period, limit: u64, want: u64) -> Result<Lease, StoreError> {
        let mut rows = self.call()?;
        rows.account(account)?;
        let used = rows.used.entry((account, period)).or_default();
        let granted = want.min(limit.saturating_sub(*used));
        *used += granted;
        Ok(Lease { granted, used: *used })
    }

    async fn settle(&self, account: AccountId, period: Period, unused: u64) -> Result<(), StoreError> {
        let mut rows = self.call()?;
        let used = rows.used.entry((account, period)).or_default();
        *used = used.saturating_sub(unused);
        Ok(())
    }

    async fn used(&self, account: AccountId, period: Period) -> Result<u64, StoreError> {
        Ok(self.call()?.used.get(&(account, period)).copied().unwrap_or(0))
    }
}
