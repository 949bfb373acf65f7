//! Watched RUCs in memory.

use async_trait::async_trait;
use kuraka_domain::Ruc;

use super::MemoryStore;
use crate::{AccountId, StoreError, StoreErrorKind, WatchListChange, WatchLists, WatchedRuc, WatchedSet};

#[async_trait]
impl WatchLists for MemoryStore {
    async fn change(
        &self,
        account: AccountId,
        add: &[WatchedRuc],
        remove: &[Ruc],
        most: u64,
    ) -> Result<WatchListChange, StoreError> {
        let mut rows = self.call()?;
        rows.account(account)?;
        let old = rows.watched.get(&account).cloned().unwrap_or_default();
        let mut list = old.clone();
        for WatchedRuc { ruc, code } in add {
            let kept = list.entry(*ruc).or_default();
            *kept = code.clone().or(kept.take());
        }
        list.retain(|ruc, _| !remove.contains(ruc));
        let total = list.len() as u64;
        if total > most && list.len() > old.len() {
            return Err(StoreError::new(StoreErrorKind::LimitReached));
        }
        let added = list.keys().filter(|ruc| !old.contains_key(ruc)).count() as u64;
        let removed = old.keys().filter(|ruc| !list.contains_key(ruc)).count() as u64;
        rows.watched.insert(account, list);
        Ok(WatchListChange { total, added, removed })
    }

    async fn watched(
        &self,
        account: AccountId,
        after: Option<Ruc>,
        limit: u32,
    ) -> Result<(Vec<WatchedRuc>, u64), StoreError> {
        let rows = self.call()?;
        let Some(list) = rows.watched.get(&account) else { return Ok((Vec::new(), 0)) };
        let page = list.iter().filter(|(ruc, _)| after.is_none_or(|after| **ruc > after)).take(limit as usize);
        let page = page.map(|(ruc, code)| WatchedRuc { ruc: *ruc, code: code.clone() });
        Ok((page.collect(), list.len() as u64))
    }

    async fn watched_set(&self, account: AccountId) -> Result<WatchedSet, StoreError> {
        Ok(self.watched(account, None, u32::MAX).await?.0.into_iter().collect())
    }
}
