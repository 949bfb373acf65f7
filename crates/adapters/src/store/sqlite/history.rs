//! The history of calls: one row for each day, operation and code of an account.

use async_trait::async_trait;
use kuraka_domain::Date;
use kuraka_ports::{AccountId, DayCount, StoreError, UsageHistory};

use super::error::store_error;
use super::{SqliteStore, row};

#[async_trait]
impl UsageHistory for SqliteStore {
    async fn add(&self, counts: &[(AccountId, DayCount)]) -> Result<(), StoreError> {
        let mut transaction = self.ledger.begin_with("BEGIN IMMEDIATE").await.map_err(store_error)?;
        for (account, DayCount { day, operation, code, count }) in counts {
            sqlx::query(
                "INSERT INTO history (account, day, operation, code, count)
                 SELECT id, $2, $3, $4, $5 FROM account WHERE id = $1
                 ON CONFLICT (account, day, operation, code) DO UPDATE SET count = history.count + excluded.count",
            )
            .bind(account.0)
            .bind(day.to_string())
            .bind(operation.as_str())
            .bind(code.as_str())
            .bind(row::count_parameter(*count))
            .execute(&mut *transaction)
            .await
            .map_err(store_error)?;
        }
        transaction.commit().await.map_err(store_error)
    }

    async fn since(&self, account: AccountId, day: Date) -> Result<Vec<DayCount>, StoreError> {
        let found = sqlx::query("SELECT day, operation, code, count FROM history WHERE account = $1 AND day >= $2")
            .bind(account.0)
            .bind(day.to_string())
            .fetch_all(&self.readers)
            .await
            .map_err(store_error)?;
        let mut counts = found.iter().map(row::day_count).collect::<Result<Vec<_>, _>>()?;
        counts.sort();
        Ok(counts)
    }

    async fn forget_before(&self, day: Date) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM history WHERE day < $1")
            .bind(day.to_string())
            .execute(&self.ledger)
            .await
            .map_err(store_error)?;
        Ok(())
    }
}
