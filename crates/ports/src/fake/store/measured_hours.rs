//! Measured hours in memory.

use async_trait::async_trait;

use super::MemoryStore;
use crate::{MeasuredHour, MeasuredHours, ServerId, StoreResult};

#[async_trait]
impl MeasuredHours for MemoryStore {
    async fn put_hour(&self, server: ServerId, number: u64, measured: &MeasuredHour) -> StoreResult<()> {
        self.call()?.measured.insert((server.0, number), measured.clone());
        Ok(())
    }

    async fn hours(&self, from: i64, until: i64) -> StoreResult<Vec<MeasuredHour>> {
        let rows = self.call()?;
        let asked = rows.measured.values().filter(|measured| (from..until).contains(&measured.hour));
        let mut hours: Vec<_> = asked.cloned().collect();
        hours.sort_by_key(|measured| measured.hour);
        Ok(hours)
    }

    async fn forget_hours(&self, before: i64) -> StoreResult<()> {
        self.call()?.measured.retain(|_, measured| measured.hour >= before);
        Ok(())
    }
}
