//! The statements on kept lists.
//!
//! A batch's results and its price are written in one transaction, so that a killed server has charged exactly what is
//! stored.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{
    Account, AccountId, Accounts, BatchOutcome, KeptList, KeptLists, ListBounds, ListChange, ListId, ListStatus,
    NewBatch, NewList, StoreError, StoreErrorKind,
};
use sqlx::AssertSqlSafe;

use super::{Store, Transaction, row};

/// The columns that [`row::kept_list`] reads.
const LIST: &str = "kept_list.id, kept_list.account, name, note, kept_list.created, ran, kept_list.status, settings, \
    items, done, batches, charged";
/// Ends a statement on the run that a server knows: its account, number, beginning and batches are the parameters 1 to 4.
const SAME_RUN: &str = "WHERE account = $1 AND id = $2 AND ran = $3 AND batches = $4 AND status = 'running'";

#[async_trait]
impl KeptLists for Store {
    async fn add_list(&self, new: &NewList, bounds: ListBounds) -> Result<(), StoreError> {
        let mut transaction = self.writer_transaction().await?;
        transaction.lock_account(new.account).await?;
        let query = sqlx::query(
            "INSERT INTO kept_list (id, account, created, ran, settings, source, bytes) VALUES ($1, $2, $3, $3, $4, $5, $6)",
        )
        .bind(&new.id.0[..])
        .bind(new.account.0)
        .bind(new.now.as_microsecond())
        .bind(&new.settings)
        .bind(&new.source)
        .bind(length(&new.source));
        transaction.execute(query).await?;
        transaction.make_room(new.account, [new.id, new.copy_of.unwrap_or(new.id)], bounds).await?;
        transaction.commit().await
    }

    async fn lists(&self, account: AccountId) -> Result<Vec<KeptList>, StoreError> {
        let statement = format!("SELECT {LIST} FROM kept_list WHERE account = $1 ORDER BY created DESC, id");
        let found = self.reader().await?.fetch_all(sqlx::query(AssertSqlSafe(statement)).bind(account.0)).await?;
        found.iter().map(row::kept_list).collect()
    }

    async fn list(&self, account: AccountId, id: ListId) -> Result<Option<KeptList>, StoreError> {
        let statement = format!("SELECT {LIST} FROM kept_list WHERE account = $1 AND id = $2");
        let query = sqlx::query(AssertSqlSafe(statement)).bind(account.0).bind(&id.0[..]);
        self.reader().await?.fetch_optional(query).await?.as_ref().map(row::kept_list).transpose()
    }

    async fn list_contents(
        &self,
        account: AccountId,
        id: ListId,
    ) -> Result<Option<(Vec<u8>, Vec<Vec<u8>>)>, StoreError> {
        let mut reader = self.reader().await?;
        let query = sqlx::query("SELECT source FROM kept_list WHERE account = $1 AND id = $2");
        let found = reader.fetch_optional(query.bind(account.0).bind(&id.0[..])).await?;
        let Some(found) = found else { return Ok(None) };
        let query = sqlx::query("SELECT results FROM kept_list_batch WHERE account = $1 AND list = $2 ORDER BY number");
        let batches = reader.fetch_all(query.bind(account.0).bind(&id.0[..])).await?;
        let batches = batches.iter().map(|batch| row::column(batch, "results")).collect::<Result<_, _>>()?;
        Ok(Some((row::column(&found, "source")?, batches)))
    }

    async fn change_list(&self, account: AccountId, id: ListId, change: &ListChange) -> Result<bool, StoreError> {
        let id = &id.0[..];
        let query = match change {
            ListChange::Run { after, settings, items, before, now } => {
                return self.begin_run(account, id, settings, *items, before, [*after, *now]).await;
            }
            ListChange::Settings(settings) => {
                sqlx::query("UPDATE kept_list SET settings = $3 WHERE account = $1 AND id = $2 AND status = 'read'")
                    .bind(account.0)
                    .bind(id)
                    .bind(settings)
            }
            ListChange::Continue => sqlx::query(
                "UPDATE kept_list SET status = 'running', leased_until = 0
                 WHERE account = $1 AND id = $2 AND status NOT IN ('read', 'running', 'done')",
            )
            .bind(account.0)
            .bind(id),
            ListChange::Stop => sqlx::query(
                "UPDATE kept_list SET status = 'stopped' WHERE account = $1 AND id = $2 AND status = 'running'",
            )
            .bind(account.0)
            .bind(id),
            ListChange::Name { name, note } => {
                sqlx::query("UPDATE kept_list SET name = $3, note = $4 WHERE account = $1 AND id = $2")
                    .bind(account.0)
                    .bind(id)
                    .bind(name)
                    .bind(note)
            }
        };
        Ok(self.writer().await?.execute(query).await? > 0)
    }

    async fn delete_list(&self, account: AccountId, id: ListId) -> Result<bool, StoreError> {
        let query = sqlx::query("DELETE FROM kept_list WHERE account = $1 AND id = $2").bind(account.0);
        let is_deleted = self.writer().await?.execute(query.bind(&id.0[..])).await? > 0;
        self.empty_log().await;
        Ok(is_deleted)
    }

    async fn lease_list(&self, now: Timestamp, until: Timestamp) -> Result<Option<(KeptList, Account)>, StoreError> {
        let statement = format!(
            "SELECT {LIST} FROM kept_list JOIN account ON account.id = kept_list.account
             WHERE kept_list.status = 'running' AND leased_until <= $1 AND account.status = 'active'
             ORDER BY leased_until, ran LIMIT 1"
        );
        let query = sqlx::query(AssertSqlSafe(statement)).bind(now.as_microsecond());
        let Some(found) = self.reader().await?.fetch_optional(query).await? else { return Ok(None) };
        let list = row::kept_list(&found)?;
        let statement = format!("UPDATE kept_list SET leased_until = $5 {SAME_RUN} AND leased_until <= $6");
        let query = same_run(&statement, &list).bind(until.as_microsecond()).bind(now.as_microsecond());
        if self.writer().await?.execute(query).await? == 0 {
            return Ok(None);
        }
        Ok(self.by_id(list.account).await?.map(|account| (list, account)))
    }

    async fn add_batch(&self, batch: &NewBatch<'_>, bounds: ListBounds) -> Result<BatchOutcome, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let list = batch.list;
        if transaction.lock_account(list.account).await.is_err_and(|error| error.kind == StoreErrorKind::Missing) {
            return Ok(BatchOutcome::Superseded);
        }
        let statement = format!(
            "UPDATE kept_list SET status = $5, done = done + $6, charged = charged + $7, batches = batches + 1,
                 bytes = bytes + $8, leased_until = $9 {SAME_RUN}"
        );
        let query = same_run(&statement, list)
            .bind(batch.status.as_str())
            .bind(row::count_parameter(batch.items))
            .bind(row::count_parameter(batch.queries))
            .bind(length(&batch.results))
            .bind(batch.until.as_microsecond());
        if transaction.execute(query).await? == 0 {
            return Ok(BatchOutcome::Superseded);
        }
        let query = sqlx::query("INSERT INTO kept_list_batch (account, list, number, results) VALUES ($1, $2, $3, $4)")
            .bind(list.account.0)
            .bind(&list.id.0[..])
            .bind(row::count_parameter(list.batches))
            .bind(&batch.results);
        transaction.execute(query).await?;
        transaction.make_room(list.account, [list.id; 2], bounds).await?;
        if batch.queries > 0 && !transaction.charge(batch).await? {
            return Ok(BatchOutcome::Exhausted);
        }
        transaction.commit().await?;
        Ok(BatchOutcome::Stored)
    }

    async fn set_run(&self, list: &KeptList, status: ListStatus, until: Timestamp) -> Result<bool, StoreError> {
        let statement = format!("UPDATE kept_list SET status = $5, leased_until = $6 {SAME_RUN}");
        let query = same_run(&statement, list).bind(status.as_str()).bind(until.as_microsecond());
        Ok(self.writer().await?.execute(query).await? > 0)
    }

    async fn sweep_lists(&self, nameless: Timestamp, named: Timestamp) -> Result<(), StoreError> {
        let query = sqlx::query(
            "DELETE FROM kept_list WHERE ran < CASE name WHEN '' THEN $1 ELSE $2 END
             AND (status <> 'running' OR account IN (SELECT id FROM account WHERE status <> 'active'))",
        );
        let query = query.bind(nameless.as_microsecond()).bind(named.as_microsecond());
        self.writer().await?.execute(query).await?;
        Ok(())
    }
}

impl Store {
    async fn begin_run(
        &self,
        account: AccountId,
        id: &[u8],
        settings: &str,
        items: u64,
        before: &[u8],
        [after, now]: [Timestamp; 2],
    ) -> Result<bool, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let query = sqlx::query(
            "UPDATE kept_list SET status = 'running', settings = $3, items = $4, ran = $5, done = 0, batches = $7,
                 charged = 0, bytes = length(source) + $8, leased_until = 0
             WHERE account = $1 AND id = $2 AND status <> 'running' AND ran = $6",
        );
        let query = query.bind(account.0).bind(id).bind(settings).bind(row::count_parameter(items));
        let query = query.bind(now.as_microsecond()).bind(after.as_microsecond());
        if transaction.execute(query.bind(i64::from(!before.is_empty())).bind(length(before))).await? == 0 {
            return Ok(false);
        }
        let query = sqlx::query("DELETE FROM kept_list_batch WHERE account = $1 AND list = $2");
        transaction.execute(query.bind(account.0).bind(id)).await?;
        if !before.is_empty() {
            let query =
                sqlx::query("INSERT INTO kept_list_batch (account, list, number, results) VALUES ($1, $2, 0, $3)");
            transaction.execute(query.bind(account.0).bind(id).bind(before)).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }
}

impl Transaction {
    /// Changes nothing, but PostgreSQL locks the row, so that changes of what an account keeps wait for each other.
    pub(super) async fn lock_account(&mut self, account: AccountId) -> Result<(), StoreError> {
        let query = sqlx::query("UPDATE account SET status = status WHERE id = $1").bind(account.0);
        if self.execute(query).await? == 0 { Err(StoreError::new(StoreErrorKind::Missing)) } else { Ok(()) }
    }

    /// Deletes the oldest lists without a name, except these, until the account's lists are within the bounds.
    async fn make_room(
        &mut self,
        account: AccountId,
        spared: [ListId; 2],
        bounds: ListBounds,
    ) -> Result<(), StoreError> {
        loop {
            let query = sqlx::query(
                "SELECT count(*) AS lists, CAST(coalesce(sum(bytes), 0) AS BIGINT) AS bytes FROM kept_list
                 WHERE account = $1",
            );
            let kept = self.fetch_one(query.bind(account.0)).await?;
            let (lists, bytes) = (row::count(row::column(&kept, "lists")?)?, row::count(row::column(&kept, "bytes")?)?);
            if lists <= bounds.lists && bytes <= bounds.bytes {
                return Ok(());
            }
            let query = sqlx::query(
                "DELETE FROM kept_list WHERE id = (
                     SELECT id FROM kept_list WHERE account = $1 AND id <> $2 AND id <> $3 AND name = '' AND status <> 'running'
                     ORDER BY created, id LIMIT 1)",
            );
            let [id, other] = &spared;
            if self.execute(query.bind(account.0).bind(&id.0[..]).bind(&other.0[..])).await? == 0 {
                return Err(StoreError::new(StoreErrorKind::LimitReached));
            }
        }
    }

    /// Counts the price of a batch as used; `false` = the month has too few queries left.
    async fn charge(&mut self, batch: &NewBatch<'_>) -> Result<bool, StoreError> {
        let query = sqlx::query(
            "INSERT INTO usage (account, period, used, latest_lease) SELECT $1, $2, $3, 0 WHERE $3 <= $4
             ON CONFLICT (account, period) DO UPDATE SET used = usage.used + $3 WHERE usage.used + $3 <= $4",
        )
        .bind(batch.list.account.0)
        .bind(batch.period.to_string())
        .bind(row::count_parameter(batch.queries))
        .bind(row::count_parameter(batch.limit));
        Ok(self.execute(query).await? > 0)
    }
}

/// A statement whose first four parameters are those of [`SAME_RUN`].
fn same_run<'q>(statement: &str, list: &'q KeptList) -> super::connection::Query<'q> {
    sqlx::query(AssertSqlSafe(statement.to_owned()))
        .bind(list.account.0)
        .bind(&list.id.0[..])
        .bind(list.ran.as_microsecond())
        .bind(row::count_parameter(list.batches))
}

fn length(bytes: &[u8]) -> i64 {
    row::count_parameter(bytes.len() as u64)
}
