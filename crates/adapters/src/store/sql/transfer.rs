//! Counts, exports and imports the whole store, account by account.

use async_trait::async_trait;
use kuraka_ports::StoreError;

use super::{DbRow, Store, Transaction, row, sequences};
use crate::store::transfer::{
    AccountRecord, Contents, CopyableStore, DailyUsageRecord, Export, Import, Sequences, TokenRecord, UsageRecord,
};

#[async_trait]
impl CopyableStore for Store {
    async fn contents(&self) -> Result<Contents, StoreError> {
        let query = sqlx::query(
            "SELECT (SELECT count(*) FROM account) AS accounts, (SELECT count(*) FROM token) AS tokens,
                 (SELECT count(*) FROM usage) AS months,
                 (SELECT CAST(coalesce(sum(used), 0) AS BIGINT) FROM usage) AS used,
                 (SELECT count(*) FROM history) AS history",
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
            "SELECT id, email, plan, status, password_hash, created FROM account WHERE id > $1 ORDER BY id LIMIT 1",
        )
        .bind(account);
        let Some(found) = self.fetch_optional(query).await? else { return Ok(None) };
        let id: i64 = row::column(&found, "id")?;
        Ok(Some(AccountRecord {
            id,
            email: row::column(&found, "email")?,
            plan: row::column(&found, "plan")?,
            status: row::column(&found, "status")?,
            password_hash: row::column(&found, "password_hash")?,
            created: row::column(&found, "created")?,
            tokens: self
                .all_of(
                    "SELECT id, name, digest, prefix, created, revoked, last_used, expires, allowed
                     FROM token WHERE account = $1 ORDER BY id",
                    id,
                    token_record,
                )
                .await?,
            usage: self
                .all_of("SELECT period, used FROM usage WHERE account = $1 ORDER BY period", id, usage_record)
                .await?,
            daily_usage: self
                .all_of(
                    "SELECT day, operation, code, count FROM history WHERE account = $1 ORDER BY day, operation, code",
                    id,
                    daily_usage_record,
                )
                .await?,
        }))
    }

    async fn sequences(&mut self) -> Result<Sequences, StoreError> {
        sequences::read(self).await
    }
}

impl Transaction {
    async fn all_of<T>(
        &mut self,
        statement: &'static str,
        account: i64,
        read: fn(&DbRow) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.fetch_all(sqlx::query(statement).bind(account)).await?.iter().map(read).collect()
    }
}

#[async_trait]
impl Import for Transaction {
    async fn put(&mut self, record: &AccountRecord) -> Result<(), StoreError> {
        let AccountRecord { id, email, plan, status, password_hash, created, tokens, usage, daily_usage } = record;
        let query = sqlx::query(
            "INSERT INTO account (id, email, plan, status, password_hash, created) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(id)
        .bind(email)
        .bind(plan)
        .bind(status)
        .bind(password_hash)
        .bind(created);
        self.execute(query).await?;
        for token in tokens {
            let query = sqlx::query(
                "INSERT INTO token (id, account, name, digest, prefix, created, revoked, last_used, expires, allowed)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            )
            .bind(token.id)
            .bind(id)
            .bind(&token.name)
            .bind(&token.digest)
            .bind(&token.prefix)
            .bind(token.created)
            .bind(token.revoked)
            .bind(token.last_used)
            .bind(token.expires)
            .bind(&token.allowed);
            self.execute(query).await?;
        }
        for month in usage {
            let query = sqlx::query("INSERT INTO usage (account, period, used, latest_lease) VALUES ($1, $2, $3, 0)")
                .bind(id)
                .bind(&month.period)
                .bind(month.used);
            self.execute(query).await?;
        }
        for day in daily_usage {
            let query =
                sqlx::query("INSERT INTO history (account, day, operation, code, count) VALUES ($1, $2, $3, $4, $5)")
                    .bind(id)
                    .bind(&day.day)
                    .bind(&day.operation)
                    .bind(&day.code)
                    .bind(day.count);
            self.execute(query).await?;
        }
        Ok(())
    }

    async fn finish(mut self: Box<Self>, sequences: Sequences) -> Result<(), StoreError> {
        sequences::write(&mut self, sequences).await?;
        // Increments the revision without recording a change, so that running servers drop their whole cache.
        self.move_revision().await?;
        self.commit().await
    }
}

fn token_record(found: &DbRow) -> Result<TokenRecord, StoreError> {
    Ok(TokenRecord {
        id: row::column(found, "id")?,
        name: row::column(found, "name")?,
        digest: row::column(found, "digest")?,
        prefix: row::column(found, "prefix")?,
        created: row::column(found, "created")?,
        revoked: row::column(found, "revoked")?,
        last_used: row::column(found, "last_used")?,
        expires: row::column(found, "expires")?,
        allowed: row::column(found, "allowed")?,
    })
}

fn usage_record(found: &DbRow) -> Result<UsageRecord, StoreError> {
    Ok(UsageRecord { period: row::column(found, "period")?, used: row::column(found, "used")? })
}

fn daily_usage_record(found: &DbRow) -> Result<DailyUsageRecord, StoreError> {
    Ok(DailyUsageRecord {
        day: row::column(found, "day")?,
        operation: row::column(found, "operation")?,
        code: row::column(found, "code")?,
        count: row::column(found, "count")?,
    })
}
