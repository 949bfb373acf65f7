//! Counts of calls: one row for each day, operation and code of an account.

use async_trait::async_trait;
use kuraka_domain::Date;
use kuraka_ports::{AccountId, DailyUsage, DayCount, StoreError, StoreResult};

use super::{Store, Transaction, row};

#[async_trait]
impl DailyUsage for Store {
    async fn add(&self, counts: &[(AccountId, DayCount)]) -> StoreResult<()> {
        // Sorted, so that servers that write the same rows do not deadlock.
        let mut counts: Vec<_> = counts.iter().collect();
        counts.sort();
        // Until the commit, a failure rolls back.
        let transaction = self.added(&counts).await.map_err(StoreError::without_effect)?;
        transaction.commit().await
    }

    async fn since(&self, account: AccountId, day: Date) -> StoreResult<Vec<DayCount>> {
        let statement = "SELECT day, operation, code, count FROM history WHERE account = $1 AND day >= $2";
        let mut counts = self.reader().await?.list(statement, &[&account.0, &day.to_string()], row::day_count).await?;
        counts.sort();
        Ok(counts)
    }
}

impl Store {
    async fn added(&self, counts: &[&(AccountId, DayCount)]) -> StoreResult<Transaction> {
        let mut transaction = self.ledger_transaction().await?;
        let statement = "INSERT INTO history (account, day, operation, code, count)
             SELECT id, $2, $3, $4, $5 FROM account WHERE id = $1
             ON CONFLICT (account, day, operation, code) DO UPDATE SET count = history.count + excluded.count";
        for (account, DayCount { day, operation, code, count }) in counts {
            let (day, operation) = (day.to_string(), &**operation);
            transaction.execute(statement, &[&account.0, &day, &operation, &code.as_str(), count]).await?;
        }
        Ok(transaction)
    }
}
