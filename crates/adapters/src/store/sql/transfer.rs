//! Counts, exports and imports the whole store, account by account.

use async_trait::async_trait;
use kuraka_ports::{AccountId, StoreResult, StoredRow, StoredTable, StoredValue as Value};
use sqlx::{Column, Row, TypeInfo};

use super::{Db, DbRow, Store, Transaction, continue_after, latest_number, row};
use crate::store::parameter::Parameter;
use crate::store::transfer::{
    AccountRecord, Contents, Export, Import, MEASURED, NOT_COPIED, NUMBERED, SECRETS, Sequences, StoreRecord, TABLES,
};

#[async_trait]
impl crate::store::Store for Store {
    fn is_new(&self) -> bool {
        self.is_new
    }

    async fn close(&self) {
        self.close_connections().await;
    }

    async fn contents(&self) -> StoreResult<Contents> {
        let statement = "SELECT (SELECT count(*) FROM account) AS accounts, (SELECT count(*) FROM token) AS tokens,
                 (SELECT count(*) FROM usage) AS months,
                 (SELECT CAST(coalesce(sum(used), 0) AS BIGINT) FROM usage) AS used,
                 (SELECT count(*) FROM history) AS history, (SELECT count(*) FROM watched) AS watched,
                 (SELECT count(*) FROM kept_list) AS lists, (SELECT count(*) FROM webhook) AS webhooks";
        let contents = |found: &DbRow| {
            let count = |name| row::count(found, name);
            Ok(Contents {
                accounts: count("accounts")?,
                tokens: count("tokens")?,
                months: count("months")?,
                used: count("used")?,
                history: count("history")?,
                watched: count("watched")?,
                lists: count("lists")?,
                webhooks: count("webhooks")?,
            })
        };
        // Counting may take longer than the timeout of a call.
        self.snapshot().await?.one(statement, &[], contents).await
    }

    async fn export(&self) -> StoreResult<Box<dyn Export>> {
        Ok(Box::new(self.snapshot().await?))
    }

    async fn import(&self) -> StoreResult<Box<dyn Import>> {
        Ok(Box::new(self.filling().await?))
    }
}

#[async_trait]
impl Export for Transaction {
    async fn after(&mut self, account: i64) -> StoreResult<Option<AccountRecord>> {
        let statement = "SELECT min(id) AS id FROM (SELECT min(id) AS id FROM account WHERE id > $1
                 UNION ALL SELECT min(account) FROM audit WHERE account > $1) AS next";
        let next = self.one(statement, &[&account], |row| row::column(row, "id")).await?;
        let Some(id) = next else { return Ok(None) };
        let mut rows = [const { Vec::new() }; TABLES.len()];
        for (name, rows) in TABLES.into_iter().zip(&mut rows) {
            *rows = self.rows_of(id, name, "*").await?;
        }
        Ok(Some(AccountRecord { id, rows }))
    }

    async fn record(&mut self) -> StoreResult<StoreRecord> {
        let token_key = self.one("SELECT bytes FROM token_key", &[], row::token_key).await?;
        let measured = self.list(&format!("SELECT * FROM {MEASURED}"), &[], values).await?;
        let mut sequences = Sequences::default();
        for (table, latest) in NUMBERED.into_iter().zip(&mut sequences) {
            *latest = self.one(&latest_number(table), &[], |row| row::column(row, "latest")).await?;
        }
        Ok(StoreRecord { sequences, token_key, measured })
    }
}

#[async_trait]
impl Import for Transaction {
    async fn put(&mut self, record: &AccountRecord) -> StoreResult<()> {
        for (table, rows) in TABLES.into_iter().zip(&record.rows) {
            self.put_rows(table, rows).await?;
        }
        Ok(())
    }

    async fn finish(mut self: Box<Self>, record: StoreRecord) -> StoreResult<()> {
        self.put_rows(MEASURED, &record.measured).await?;
        for (table, latest) in NUMBERED.into_iter().zip(record.sequences) {
            for statement in continue_after(table, latest) {
                self.execute(&statement, &[]).await?;
            }
        }
        self.execute("UPDATE token_key SET bytes = $1", &[&record.token_key.0]).await?;
        // A new revision without a recorded change: running servers drop their whole cache.
        self.move_revision().await?;
        self.commit().await
    }
}

impl Transaction {
    async fn put_rows(&mut self, table: &str, rows: &[StoredRow]) -> StoreResult<()> {
        for row in rows {
            let names: Vec<_> = row.iter().map(|(name, _)| name.as_str()).collect();
            let places: Vec<_> = (1..=row.len()).map(|at| format!("${at}")).collect();
            let statement = format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), places.join(", "));
            let parameters: Vec<_> = row.iter().map(|(_, value)| value as &dyn Parameter).collect();
            self.execute(&statement, &parameters).await?;
        }
        Ok(())
    }

    /// An account's rows of a table.
    async fn rows_of(&mut self, id: i64, name: &str, columns: &str) -> StoreResult<Vec<StoredRow>> {
        let owner = if name == "account" { "id" } else { "account" };
        let also = match name {
            "mail" => "OR recipient = (SELECT email FROM account WHERE id = $1)",
            // Only an address without an account gets such a code: it would tell which have one.
            "mail_code" => "AND kind <> 'change_address'",
            _ => "",
        };
        let statement = format!("SELECT {columns} FROM {name} WHERE {owner} = $1 {also}");
        self.list(&statement, &[&id], values).await
    }
}

impl Store {
    /// See [`Accounts::stored_data`](kuraka_ports::Accounts::stored_data).
    pub(super) async fn data_of(&self, id: AccountId) -> StoreResult<Vec<StoredTable>> {
        let mut snapshot = self.snapshot().await?;
        let mut data = Vec::new();
        for (name, columns) in TABLES.map(|name| (name, "*")).into_iter().chain(NOT_COPIED) {
            let mut rows = snapshot.rows_of(id.0, name, columns).await?;
            for row in &mut rows {
                row.retain(|(name, _)| !SECRETS.contains(&name.as_str()));
                if row.contains(&("actor".to_owned(), Value::Text(Some("operator".to_owned())))) {
                    let of_operator = |name: &str| ["actor_name", "address", "agent"].contains(&name);
                    row.iter_mut()
                        .filter(|(name, _)| of_operator(name))
                        .for_each(|(_, value)| *value = Value::Text(None));
                }
            }
            data.push((name, rows));
        }
        Ok(data)
    }
}

fn values(found: &DbRow) -> StoreResult<StoredRow> {
    found.columns().iter().map(|column| Ok((column.name().to_owned(), value(found, column)?))).collect()
}

fn value(found: &DbRow, column: &<Db as sqlx::Database>::Column) -> StoreResult<Value> {
    let name = column.name();
    Ok(match column.type_info().name() {
        "TEXT" => Value::Text(row::column(found, name)?),
        "BLOB" | "BYTEA" => Value::Bytes(row::column(found, name)?),
        _ => Value::Integer(row::column(found, name)?),
    })
}
