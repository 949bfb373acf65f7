//! Watched RUCs in memory.

use async_trait::async_trait;
use kuraka_domain::Ruc;

use super::MemoryStore;
use crate::{
    Actor, Origin, StoreError, StoreErrorKind, StoreResult, TokenKind, UnpaidRucsError, WatchEntry, WatchLimits,
    WatchListChange, WatchListId, WatchLists, WatchedRuc, WatchedSet,
};

#[async_trait]
impl WatchLists for MemoryStore {
    async fn change(
        &self,
        id: WatchListId,
        add: &[WatchedRuc],
        remove: &[Ruc],
        limits: WatchLimits,
    ) -> StoreResult<Result<WatchListChange, UnpaidRucsError>> {
        let mut rows = self.call()?;
        let account = id.account;
        rows.account(account)?;
        let old = rows.watched.get(&id).cloned().unwrap_or_default();
        let mut list = old.clone();
        for WatchedRuc { ruc, code } in add {
            let (kept, _) = list.entry(*ruc).or_insert((None, limits.now));
            *kept = code.clone().or(kept.take());
        }
        list.retain(|ruc, _| !remove.contains(ruc));
        let total = list.len() as u64;
        if total > limits.most && list.len() > old.len() {
            return Err(StoreError::new(StoreErrorKind::LimitReached));
        }
        let added = list.keys().filter(|ruc| !old.contains_key(ruc)).count() as u64;
        let removed = old.keys().filter(|ruc| !list.contains_key(ruc)).count() as u64;
        let mut free_left = limits.free;
        if id.kind == TokenKind::Live {
            let free = rows.free_additions.entry((account, limits.month)).or_default();
            let queries = added.saturating_sub(limits.free.saturating_sub(*free));
            if queries > limits.paid {
                return Ok(Err(UnpaidRucsError { queries }));
            }
            *free += added.saturating_sub(limits.paid);
            free_left = limits.free.saturating_sub(*free);
        }
        if added + removed > 0 && Origin::current().actor != Actor::System {
            let (before, after) = (old.len().to_string(), format!("{total} (+{added} -{removed})"));
            rows.note_values("watch_list.change", account, "watch list".to_owned(), Some(before), Some(after));
        }
        rows.watched.insert(id, list);
        Ok(Ok(WatchListChange { total, added, removed, free_left }))
    }

    async fn watched(&self, list: WatchListId, after: Option<Ruc>, limit: u32) -> StoreResult<(Vec<WatchEntry>, u64)> {
        let rows = self.call()?;
        let Some(list) = rows.watched.get(&list) else { return Ok((Vec::new(), 0)) };
        let page = list.iter().filter(|(ruc, _)| after.is_none_or(|after| **ruc > after)).take(limit as usize);
        let page = page.map(|(ruc, (code, added))| WatchEntry {
            watched: WatchedRuc { ruc: *ruc, code: code.clone() },
            added: *added,
        });
        Ok((page.collect(), list.len() as u64))
    }

    async fn watched_set(&self, list: WatchListId) -> StoreResult<WatchedSet> {
        Ok(self.watched(list, None, u32::MAX).await?.0.into_iter().map(|entry| entry.watched).collect())
    }
}
