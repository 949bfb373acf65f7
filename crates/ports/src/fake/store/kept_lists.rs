//! Kept lists in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{ListRow, MemoryStore, Rows};
use crate::{
    Account, AccountId, AccountStatus, BatchOutcome, KeptList, KeptLists, ListBounds, ListChange, ListId, ListStatus,
    NewBatch, NewList, StoreError, StoreErrorKind, StoreResult,
};

#[async_trait]
impl KeptLists for MemoryStore {
    async fn add_list(&self, new: &NewList, bounds: ListBounds) -> StoreResult<()> {
        let mut rows = self.call()?;
        rows.account(new.account)?;
        let list = KeptList {
            id: new.id,
            account: new.account,
            name: String::new(),
            note: String::new(),
            created: new.now,
            ran: new.now,
            status: ListStatus::Read,
            settings: new.settings.clone(),
            items: 0,
            done: 0,
            batches: 0,
            charged: 0,
        };
        let row = ListRow { list, source: new.source.clone(), results: Vec::new(), leased_until: Timestamp::MIN };
        let before = rows.lists.clone();
        rows.lists.push(row);
        rows.make_room(new.account, &[Some(new.id), new.copy_of], bounds).inspect_err(|_| rows.lists = before)
    }

    async fn lists(&self, account: AccountId) -> StoreResult<Vec<KeptList>> {
        let rows = self.call()?;
        let own = rows.lists.iter().filter(|row| row.list.account == account);
        let mut lists: Vec<_> = own.map(|row| row.list.clone()).collect();
        lists.sort_by_key(|list| (std::cmp::Reverse(list.created), list.id.0));
        Ok(lists)
    }

    async fn list(&self, account: AccountId, id: ListId) -> StoreResult<Option<KeptList>> {
        Ok(self.call()?.list(account, id).map(|row| row.list.clone()))
    }

    async fn list_contents(&self, account: AccountId, id: ListId) -> StoreResult<Option<(Vec<u8>, Vec<Vec<u8>>)>> {
        Ok(self.call()?.list(account, id).map(|row| (row.source.clone(), row.results.clone())))
    }

    async fn change_list(&self, account: AccountId, id: ListId, change: &ListChange) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let Some(row) = rows.list(account, id) else { return Ok(false) };
        let is_running = row.list.status == ListStatus::Running;
        let allowed = match change {
            ListChange::Settings(_) => row.list.status == ListStatus::Read,
            ListChange::Run { after, .. } => !is_running && row.list.ran == *after,
            ListChange::Continue => row.list.status.is_interrupted(),
            ListChange::Stop => is_running,
            ListChange::Name { .. } => true,
        };
        if !allowed {
            return Ok(false);
        }
        match change.clone() {
            ListChange::Settings(settings) => row.list.settings = settings,
            ListChange::Run { settings, items, before, now, .. } => {
                row.results = if before.is_empty() { Vec::new() } else { vec![before] };
                row.list = KeptList {
                    settings,
                    items,
                    ran: now,
                    status: ListStatus::Running,
                    done: 0,
                    batches: row.results.len() as u64,
                    charged: 0,
                    ..row.list.clone()
                };
            }
            ListChange::Continue => row.list.status = ListStatus::Running,
            ListChange::Stop => row.list.status = ListStatus::Stopped,
            ListChange::Name { name, note } => (row.list.name, row.list.note) = (name, note),
        }
        if matches!(change, ListChange::Run { .. } | ListChange::Continue) {
            row.leased_until = Timestamp::MIN;
        }
        Ok(true)
    }

    async fn delete_list(&self, account: AccountId, id: ListId) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let before = rows.lists.len();
        rows.lists.retain(|row| (row.list.account, row.list.id) != (account, id));
        Ok(rows.lists.len() < before)
    }

    async fn lease_list(&self, now: Timestamp, until: Timestamp) -> StoreResult<Option<(KeptList, Account)>> {
        let mut rows = self.call()?;
        let Rows { lists, accounts, .. } = &mut *rows;
        let active = |id| accounts.iter().find(|account| account.id == id && account.status == AccountStatus::Active);
        let is_due = |row: &&mut ListRow| {
            row.list.status == ListStatus::Running && row.leased_until <= now && active(row.list.account).is_some()
        };
        let due = lists.iter_mut().filter(is_due).min_by_key(|row| (row.leased_until, row.list.ran));
        Ok(due.and_then(|row| {
            row.leased_until = until;
            Some((row.list.clone(), active(row.list.account)?.clone()))
        }))
    }

    async fn add_batch(&self, batch: &NewBatch<'_>, bounds: ListBounds) -> StoreResult<BatchOutcome> {
        let mut rows = self.call()?;
        let before = rows.lists.clone();
        let Some(row) = rows.same_run(batch.list) else { return Ok(BatchOutcome::Superseded) };
        row.list.status = batch.status;
        row.list.done += batch.items;
        row.list.charged += batch.queries;
        row.list.batches += 1;
        row.results.push(batch.results.clone());
        row.leased_until = batch.until;
        let (account, id) = (batch.list.account, batch.list.id);
        if let Err(error) = rows.make_room(account, &[Some(id)], bounds) {
            rows.lists = before;
            return Err(error);
        }
        let used = rows.used.entry((account, batch.period)).or_default();
        if batch.queries > 0 && *used + batch.queries > batch.limit {
            rows.lists = before;
            return Ok(BatchOutcome::Exhausted);
        }
        *used += batch.queries;
        Ok(BatchOutcome::Stored)
    }

    async fn set_run(&self, list: &KeptList, status: ListStatus, until: Timestamp) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let row = rows.same_run(list);
        Ok(row.map(|row| (row.list.status, row.leased_until) = (status, until)).is_some())
    }
}

impl Rows {
    fn list(&mut self, account: AccountId, id: ListId) -> Option<&mut ListRow> {
        self.lists.iter_mut().find(|row| (row.list.account, row.list.id) == (account, id))
    }

    fn same_run(&mut self, list: &KeptList) -> Option<&mut ListRow> {
        let run = |list: &KeptList| (list.ran, list.batches);
        self.list(list.account, list.id)
            .filter(|row| row.list.status == ListStatus::Running && run(&row.list) == run(list))
    }

    fn make_room(&mut self, account: AccountId, kept: &[Option<ListId>], bounds: ListBounds) -> StoreResult<()> {
        loop {
            let own = || self.lists.iter().filter(|row| row.list.account == account);
            let bytes: usize =
                own().map(|row| row.source.len() + row.results.iter().map(Vec::len).sum::<usize>()).sum();
            if own().count() as u64 <= bounds.lists && bytes as u64 <= bounds.bytes {
                return Ok(());
            }
            let can_go = |list: &KeptList| {
                !kept.contains(&Some(list.id)) && list.name.is_empty() && list.status != ListStatus::Running
            };
            let oldest = own().map(|row| &row.list).filter(|list| can_go(list));
            let oldest = oldest.min_by_key(|list| (list.created, list.id.0)).map(|list| list.id);
            let oldest = oldest.ok_or(StoreError::new(StoreErrorKind::LimitReached))?;
            self.lists.retain(|row| row.list.id != oldest);
        }
    }
}
