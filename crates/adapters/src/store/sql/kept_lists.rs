//! The statements on kept lists.
//!
//! A batch's results and its price are written in one transaction, so that a killed server has charged exactly what is
//! stored.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{
    Account, AccountId, Accounts, BatchOutcome, KeptList, KeptLists, ListBounds, ListChange, ListId, ListStatus,
    NewBatch, NewList, StoreError, StoreErrorKind, StoreResult,
};

use super::{DbRow, Store, Transaction, row};
use crate::store::parameter::{Parameter, Parameters};

/// The columns that [`row::kept_list`] reads.
const LIST: &str = "kept_list.id, kept_list.account, name, note, kept_list.created, ran, kept_list.status, settings, \
    items, done, batches, charged";
/// Ends a statement on the run that a server knows: its account, number, beginning and batches are the parameters 1 to 4.
const SAME_RUN: &str = "WHERE account = $1 AND id = $2 AND ran = $3 AND batches = $4 AND status = 'running'";

#[async_trait]
impl KeptLists for Store {
    async fn add_list(&self, new: &NewList, bounds: ListBounds) -> StoreResult<()> {
        let NewList { id, account, settings, source, copy_of, now } = new;
        let (source, length) = (source.as_slice(), source.len() as u64);
        let mut transaction = self.writer_transaction().await?;
        transaction.lock_account(*account).await?;
        let statement = "INSERT INTO kept_list (id, account, created, ran, settings, source, bytes)
             VALUES ($1, $2, $3, $3, $4, $5, $6)";
        transaction.execute(statement, &[&id.0, &account.0, now, settings, &source, &length]).await?;
        transaction.make_room(*account, [*id, copy_of.unwrap_or(*id)], bounds).await?;
        transaction.commit().await
    }

    async fn lists(&self, account: AccountId) -> StoreResult<Vec<KeptList>> {
        let statement = format!("SELECT {LIST} FROM kept_list WHERE account = $1 ORDER BY created DESC, id");
        self.reader().await?.list(&statement, &[&account.0], row::kept_list).await
    }

    async fn list(&self, account: AccountId, id: ListId) -> StoreResult<Option<KeptList>> {
        let statement = format!("SELECT {LIST} FROM kept_list WHERE account = $1 AND id = $2");
        self.reader().await?.find(&statement, &[&account.0, &id.0], row::kept_list).await
    }

    async fn list_contents(&self, account: AccountId, id: ListId) -> StoreResult<Option<(Vec<u8>, Vec<Vec<u8>>)>> {
        let mut reader = self.reader().await?;
        let statement = "SELECT source FROM kept_list WHERE account = $1 AND id = $2";
        let source = reader.find(statement, &[&account.0, &id.0], |row| row::column(row, "source")).await?;
        let Some(source) = source else { return Ok(None) };
        let statement = "SELECT results FROM kept_list_batch WHERE account = $1 AND list = $2 ORDER BY number";
        let batches = reader.list(statement, &[&account.0, &id.0], |row| row::column(row, "results")).await?;
        Ok(Some((source, batches)))
    }

    async fn change_list(&self, account: AccountId, id: ListId, change: &ListChange) -> StoreResult<bool> {
        let mut parameters: Vec<&dyn Parameter> = vec![&account.0, &id.0];
        let statement = match change {
            ListChange::Run { after, settings, items, before, now } => {
                return self.begin_run((account, id), settings, *items, before, [*after, *now]).await;
            }
            ListChange::Settings(settings) => {
                parameters.push(settings);
                "UPDATE kept_list SET settings = $3 WHERE account = $1 AND id = $2 AND status = 'read'"
            }
            ListChange::Continue => {
                "UPDATE kept_list SET status = 'running', leased_until = 0
                 WHERE account = $1 AND id = $2 AND status NOT IN ('read', 'running', 'done')"
            }
            ListChange::Stop => {
                "UPDATE kept_list SET status = 'stopped' WHERE account = $1 AND id = $2 AND status = 'running'"
            }
            ListChange::Name { name, note } => {
                parameters.extend([name as &dyn Parameter, note]);
                "UPDATE kept_list SET name = $3, note = $4 WHERE account = $1 AND id = $2"
            }
        };
        Ok(self.writer().await?.execute(statement, &parameters).await? > 0)
    }

    async fn delete_list(&self, account: AccountId, id: ListId) -> StoreResult<bool> {
        let statement = "DELETE FROM kept_list WHERE account = $1 AND id = $2";
        let is_deleted = self.writer().await?.execute(statement, &[&account.0, &id.0]).await? > 0;
        self.empty_log().await;
        Ok(is_deleted)
    }

    async fn lease_list(&self, now: Timestamp, until: Timestamp) -> StoreResult<Option<(KeptList, Account)>> {
        let statement = format!(
            "SELECT {LIST} FROM kept_list JOIN account ON account.id = kept_list.account
             WHERE kept_list.status = 'running' AND leased_until <= $1 AND account.status = 'active'
             ORDER BY leased_until, ran LIMIT 1"
        );
        let found = self.reader().await?.find(&statement, &[&now], row::kept_list).await?;
        let Some(list) = found else { return Ok(None) };
        let statement = format!("UPDATE kept_list SET leased_until = $5 {SAME_RUN} AND leased_until <= $6");
        let parameters: Parameters<'_> = &[&list.account.0, &list.id.0, &list.ran, &list.batches, &until, &now];
        if self.writer().await?.execute(&statement, parameters).await? == 0 {
            return Ok(None);
        }
        Ok(self.by_id(list.account).await?.map(|account| (list, account)))
    }

    async fn add_batch(&self, batch: &NewBatch<'_>, bounds: ListBounds) -> StoreResult<BatchOutcome> {
        let NewBatch { list, results, items, status, queries, until, .. } = batch;
        let KeptList { account, id, ran, batches, .. } = list;
        let (results, length) = (results.as_slice(), results.len() as u64);
        let mut transaction = self.writer_transaction().await?;
        match transaction.lock_account(*account).await {
            Err(error) if error.kind == StoreErrorKind::Missing => return Ok(BatchOutcome::Superseded),
            locked => locked?,
        }
        let statement = format!(
            "UPDATE kept_list SET status = $5, done = done + $6, charged = charged + $7, batches = batches + 1,
                 bytes = bytes + $8, leased_until = $9 {SAME_RUN}"
        );
        let parameters: Parameters<'_> =
            &[&account.0, &id.0, ran, batches, &status.as_str(), items, queries, &length, until];
        if transaction.execute(&statement, parameters).await? == 0 {
            return Ok(BatchOutcome::Superseded);
        }
        let statement = "INSERT INTO kept_list_batch (account, list, number, results) VALUES ($1, $2, $3, $4)";
        transaction.execute(statement, &[&account.0, &id.0, batches, &results]).await?;
        transaction.make_room(*account, [*id; 2], bounds).await?;
        if *queries > 0 && !transaction.charge(batch).await? {
            return Ok(BatchOutcome::Exhausted);
        }
        transaction.commit().await?;
        Ok(BatchOutcome::Stored)
    }

    async fn set_run(&self, list: &KeptList, status: ListStatus, until: Timestamp) -> StoreResult<bool> {
        let statement = format!("UPDATE kept_list SET status = $5, leased_until = $6 {SAME_RUN}");
        let KeptList { account, id, ran, batches, .. } = list;
        let parameters: Parameters<'_> = &[&account.0, &id.0, ran, batches, &status.as_str(), &until];
        Ok(self.writer().await?.execute(&statement, parameters).await? > 0)
    }
}

impl Store {
    async fn begin_run(
        &self,
        (account, id): (AccountId, ListId),
        settings: &str,
        items: u64,
        before: &[u8],
        [after, now]: [Timestamp; 2],
    ) -> StoreResult<bool> {
        let mut transaction = self.writer_transaction().await?;
        let statement =
            "UPDATE kept_list SET status = 'running', settings = $3, items = $4, ran = $5, done = 0, batches = $7,
                 charged = 0, bytes = length(source) + $8, leased_until = 0
             WHERE account = $1 AND id = $2 AND status <> 'running' AND ran = $6";
        let (batches, length) = (!before.is_empty(), before.len() as u64);
        let parameters: Parameters<'_> = &[&account.0, &id.0, &settings, &items, &now, &after, &batches, &length];
        if transaction.execute(statement, parameters).await? == 0 {
            return Ok(false);
        }
        let statement = "DELETE FROM kept_list_batch WHERE account = $1 AND list = $2";
        transaction.execute(statement, &[&account.0, &id.0]).await?;
        if !before.is_empty() {
            let statement = "INSERT INTO kept_list_batch (account, list, number, results) VALUES ($1, $2, 0, $3)";
            transaction.execute(statement, &[&account.0, &id.0, &before]).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }
}

impl Transaction {
    /// Deletes the oldest lists without a name, except these, until the account's lists are within the bounds.
    async fn make_room(&mut self, account: AccountId, spared: [ListId; 2], bounds: ListBounds) -> StoreResult<()> {
        loop {
            let statement = "SELECT count(*) AS total, CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes FROM kept_list
                 WHERE account = $1";
            let counts = |found: &DbRow| Ok((row::total(found)?, row::count(found, "bytes")?));
            let (lists, bytes) = self.one(statement, &[&account.0], counts).await?;
            if lists <= bounds.lists && bytes <= bounds.bytes {
                return Ok(());
            }
            let statement = "DELETE FROM kept_list WHERE id = (
                 SELECT id FROM kept_list WHERE account = $1 AND id <> $2 AND id <> $3 AND name = '' AND status <> 'running'
                 ORDER BY created, id LIMIT 1)";
            let [id, other] = &spared;
            if self.execute(statement, &[&account.0, &id.0, &other.0]).await? == 0 {
                return Err(StoreError::new(StoreErrorKind::LimitReached));
            }
        }
    }

    /// Counts the price of a batch as used; `false` = the month has too few queries left.
    async fn charge(&mut self, batch: &NewBatch<'_>) -> StoreResult<bool> {
        let statement = "INSERT INTO usage (account, period, used, latest_lease) SELECT $1, $2, $3, 0 WHERE $3 <= $4
             ON CONFLICT (account, period) DO UPDATE SET used = usage.used + $3 WHERE usage.used + $3 <= $4";
        let NewBatch { list, period, queries, limit, .. } = batch;
        Ok(self.execute(statement, &[&list.account.0, &period.to_string(), queries, limit]).await? > 0)
    }
}
