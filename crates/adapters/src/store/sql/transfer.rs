//! Counts, exports and imports the whole store, account by account.

use async_trait::async_trait;
use kuraka_ports::{AccountId, StoreError, StoredTable, StoredValue as Value};
use sqlx::{AssertSqlSafe, Column, Row, TypeInfo};

use super::{Db, DbRow, Store, Transaction, row, sequences};
use crate::store::transfer::{
    AccountRecord, Contents, CopyableStore, Export, Import, MEASURED, NOT_COPIED, SECRETS, StoreRecord, TABLES,
};

#[async_trait]
impl CopyableStore for Store {
    async fn contents(&self) -> Result<Contents, StoreError> {
        let query = sqlx::query(
            "SELECT (SELECT count(*) FROM account) AS accounts, (SELECT count(*) FROM token) AS tokens,
                 (SELECT count(*) FROM usage) AS months,
                 (SELECT CAST(coalesce(sum(used), 0) AS BIGINT) FROM usage) AS used,
                 (SELECT count(*) FROM history) AS history, (SELECT count(*) FROM watched) AS watched,
                 (SELECT count(*) FROM kept_list) AS lists, (SELECT count(*) FROM webhook) AS webhooks",
        );
        // Counting may take longer than the timeout of a call.
        let found = self.snapshot().await?.fetch_one(query).await?;
        let count = |name| row::count(row::column(&found, name)?);
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
    }

    async fn export(&self) -> Result<Box<dyn Export>, StoreError> {
        Ok(Box::new(self.snapshot().await?))
    }

    async fn import(&self) -> Result<Box<dyn Import>, StoreError> {
        Ok(Box::new(self.filling().await?))
    }
}

#[async_trait]
impl Export for Transaction {
    async fn after(&mut self, account: i64) -> Result<Option<AccountRecord>, StoreError> {
        let query = sqlx::query(
            "SELECT min(id) AS id FROM (SELECT min(id) AS id FROM account WHERE id > $1
                 UNION ALL SELECT min(account) FROM audit WHERE account > $1) AS next",
        )
        .bind(account);
        let Some(id) = row::column(&self.fetch_one(query).await?, "id")? else { return Ok(None) };
        let mut rows = [const { Vec::new() }; TABLES.len()];
        for ((name, columns), rows) in TABLES.iter().zip(&mut rows) {
            *rows = self.rows_of(id, name, columns).await?;
        }
        Ok(Some(AccountRecord { id, rows }))
    }

    async fn record(&mut self) -> Result<StoreRecord, StoreError> {
        let token_key = row::token_key(&self.fetch_one(sqlx::query("SELECT bytes FROM token_key")).await?)?;
        let query = format!("SELECT {} FROM {}", MEASURED.1, MEASURED.0);
        let measured = values(&self.fetch_all(sqlx::query(AssertSqlSafe(query))).await?)?;
        Ok(StoreRecord { sequences: sequences::read(self).await?, token_key, measured })
    }
}

#[async_trait]
impl Import for Transaction {
    async fn put(&mut self, record: &AccountRecord) -> Result<(), StoreError> {
        for (table, rows) in TABLES.into_iter().zip(&record.rows) {
            self.put_rows(table, rows).await?;
        }
        Ok(())
    }

    async fn finish(mut self: Box<Self>, record: StoreRecord) -> Result<(), StoreError> {
        self.put_rows(MEASURED, &record.measured).await?;
        sequences::write(&mut self, record.sequences).await?;
        self.execute(sqlx::query("UPDATE token_key SET bytes = $1").bind(&record.token_key.0[..])).await?;
        // A new revision without a recorded change: running servers drop their whole cache.
        self.move_revision().await?;
        self.commit().await
    }
}

impl Transaction {
    async fn put_rows(&mut self, (name, columns): (&str, &str), rows: &[Vec<Value>]) -> Result<(), StoreError> {
        let parameters = (1..=columns.split(',').count()).map(|at| format!("${at}")).collect::<Vec<_>>().join(", ");
        let statement = format!("INSERT INTO {name} ({columns}) VALUES ({parameters})");
        for row in rows {
            let query = row.iter().fold(sqlx::query(AssertSqlSafe(statement.clone())), |query, value| match value {
                Value::Integer(number) => query.bind(number),
                Value::Text(text) => query.bind(text),
                Value::Bytes(bytes) => query.bind(bytes),
            });
            self.execute(query).await?;
        }
        Ok(())
    }

    /// An account's rows of a table, whose first column is the account's number.
    async fn rows_of(&mut self, id: i64, name: &str, columns: &str) -> Result<Vec<Vec<Value>>, StoreError> {
        let owner = columns.split(',').next().unwrap_or_default();
        let also = match name {
            "mail" => "OR recipient = (SELECT email FROM account WHERE id = $1)",
            // Only an address without an account gets such a code: it would tell which have one.
            "mail_code" => "AND kind <> 'change_address'",
            _ => "",
        };
        let statement = format!("SELECT {columns} FROM {name} WHERE {owner} = $1 {also}");
        values(&self.fetch_all(sqlx::query(AssertSqlSafe(statement)).bind(id)).await?)
    }
}

impl Store {
    /// See [`Accounts::stored_data`](kuraka_ports::Accounts::stored_data).
    pub(super) async fn data_of(&self, id: AccountId) -> Result<Vec<StoredTable>, StoreError> {
        let mut snapshot = self.snapshot().await?;
        let mut data = Vec::new();
        for (name, columns) in TABLES.into_iter().chain(NOT_COPIED) {
            let names: Vec<_> = columns.split(", ").map(str::trim).collect();
            let rows = snapshot.rows_of(id.0, name, columns).await?.into_iter().map(|row| {
                let named = names.iter().copied().zip(row).filter(|(name, _)| !SECRETS.contains(name));
                let mut named: Vec<_> = named.collect();
                if named.contains(&("actor", Value::Text(Some("operator".to_owned())))) {
                    let of_operator = |name: &str| ["actor_name", "address", "agent"].contains(&name);
                    named
                        .iter_mut()
                        .filter(|(name, _)| of_operator(name))
                        .for_each(|(_, value)| *value = Value::Text(None));
                }
                named
            });
            data.push((name, rows.collect()));
        }
        Ok(data)
    }
}

fn values(found: &[DbRow]) -> Result<Vec<Vec<Value>>, StoreError> {
    found.iter().map(|found| found.columns().iter().map(|column| value(found, column)).collect()).collect()
}

fn value(found: &DbRow, column: &<Db as sqlx::Database>::Column) -> Result<Value, StoreError> {
    let name = column.name();
    Ok(match column.type_info().name() {
        "TEXT" => Value::Text(row::column(found, name)?),
        "BLOB" | "BYTEA" => Value::Bytes(row::column(found, name)?),
        _ => Value::Integer(row::column(found, name)?),
    })
}
