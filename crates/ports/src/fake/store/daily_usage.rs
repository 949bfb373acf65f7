//! Counts of calls in memory.

use async_trait::async_trait;
use kuraka_domain::Date;

use super::MemoryStore;
use crate::{AccountId, DailyUsage, DayCount, StoreResult};

#[async_trait]
impl DailyUsage for MemoryStore {
    async fn add(&self, counts: &[(AccountId, DayCount)]) -> StoreResult<()> {
        let mut rows = self.call()?;
        for (account, added) in counts {
            if rows.account(*account).is_err() {
                continue;
            }
            let is_same = |(owner, known): &&mut (AccountId, DayCount)| {
                owner == account
                    && (known.day, known.code) == (added.day, added.code)
                    && known.operation == added.operation
            };
            match rows.history.iter_mut().find(is_same) {
                Some((_, known)) => known.count += added.count,
                None => rows.history.push((*account, added.clone())),
            }
        }
        Ok(())
    }

    async fn since(&self, account: AccountId, day: Date) -> StoreResult<Vec<DayCount>> {
        let rows = self.call()?;
        let own = rows.history.iter().filter(|(owner, count)| *owner == account && count.day >= day);
        let mut counts: Vec<DayCount> = own.map(|(_, count)| count.clone()).collect();
        counts.sort();
        Ok(counts)
    }
}
