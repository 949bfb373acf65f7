//! Counts of calls: one row for each day, operation and code of an account.

use async_trait::async_trait;
use kuraka_domain::Date;
use kuraka_ports::{AccountId, DailyUsage, DayCount, StoreError};
use sqlx::AssertSqlSafe;

use super::{SKIP_LOCKED, Store, Transaction, row};

/// Rows deleted by one statement, so that a waiting lease does not give up.
const DELETED_AT_ONCE: u32 = 1_000;

#[async_trait]
impl DailyUsage for Store {
    async fn add(&self, counts: &[(AccountId, DayCount)]) -> Result<(), StoreError> {
        // Sorted, so that servers that write the same rows do not deadlock.
        let mut counts: Vec<_> = counts.iter().collect();
        counts.sort();
        // Until the commit, a failure rolls back.
        let transaction = self.added(&counts).await.map_err(StoreError::without_effect)?;
        transaction.commit().await
    }

    async fn since(&self, account: AccountId, day: Date) -> Result<Vec<DayCount>, StoreError> {
        let query = sqlx::query("SELECT day, operation, code, count FROM history WHERE account = $1 AND day >= $2")
            .bind(account.0)
            .bind(day.to_string());
        let found = self.reader().await?.fetch_all(query).await?;
        let mut counts = found.iter().map(row::day_count).collect::<Result<Vec<_>, _>>()?;
        counts.sort();
        Ok(counts)
    }

    async fn forget_before(&self, day: Date) -> Result<(), StoreError> {
        let statement = format!(
            "DELETE FROM history WHERE (account, day, operation, code) IN (
                 SELECT account, day, operation, code FROM history WHERE day < $1 LIMIT $2 {SKIP_LOCKED})"
        );
        loop {
            let query =
                sqlx::query(AssertSqlSafe(statement.clone())).bind(day.to_string()).bind(i64::from(DELETED_AT_ONCE));
            if self.ledger().await?.execute(query).await? < u64::from(DELETED_AT_ONCE) {
                self.empty_log().await;
                return Ok(());
            }
        }
    }
}

impl Store {
    async fn added(&self, counts: &[&(AccountId, DayCount)]) -> Result<Transaction, StoreError> {
        let mut transaction = self.ledger_transaction().await?;
        for (account, DayCount { day, operation, code, count }) in counts {
            let query = sqlx::query(
                "INSERT INTO history (account, day, operation, code, count)
                 SELECT id, $2, $3, $4, $5 FROM account WHERE id = $1
                 ON CONFLICT (account, day, operation, code) DO UPDATE SET count = history.count + excluded.count",
            )
            .bind(account.0)
            .bind(day.to_string())
            .bind(&**operation)
            .bind(code.as_str())
            .bind(row::count_parameter(*count));
            transaction.execute(query).await?;
        }
        Ok(transaction)
    }
}
