//! The ledger of used queries. A lease is one conditional statement, or a transaction that takes the write lock first,
//! so that concurrent callers never lease more than the limit.

use async_trait::async_trait;
use kuraka_ports::{AccountId, Lease, Period, StoreError, UsageLedger};

use super::{Store, leases, row};
use crate::store::lease_queue::{LeaseRequest, LeaseWriter};

#[async_trait]
impl UsageLedger for Store {
    async fn lease(&self, account: AccountId, period: Period, limit: u64, want: u64) -> Result<Lease, StoreError> {
        let request = LeaseRequest { account, period, limit, want };
        match self.leases.lease(self, request).await? {
            Some(lease) => Ok(lease),
            None => self.lease_alone(request).await,
        }
    }

    async fn settle(&self, account: AccountId, period: Period, unused: u64) -> Result<(), StoreError> {
        let query = sqlx::query(
            "UPDATE usage SET used = CASE WHEN used < $3 THEN 0 ELSE used - $3 END
             WHERE account = $1 AND period = $2",
        )
        .bind(account.0)
        .bind(period.to_string())
        .bind(row::count_parameter(unused));
        self.ledger().await?.execute(query).await?;
        Ok(())
    }

    async fn used(&self, account: AccountId, period: Period) -> Result<u64, StoreError> {
        let query = sqlx::query("SELECT used FROM usage WHERE account = $1 AND period = $2")
            .bind(account.0)
            .bind(period.to_string());
        let found = self.reader().await?.fetch_optional(query).await?;
        found.map_or(Ok(0), |found| row::count(row::column(&found, "used")?))
    }
}

impl LeaseWriter for Store {
    async fn lease_alone(&self, request: LeaseRequest) -> Result<Lease, StoreError> {
        let LeaseRequest { account, period, limit, want } = request;
        let query = sqlx::query(
            "INSERT INTO usage (account, period, used, latest_lease)
             VALUES ($1, $2, CASE WHEN $4 < $3 THEN $4 ELSE $3 END, CASE WHEN $4 < $3 THEN $4 ELSE $3 END)
             ON CONFLICT (account, period) DO UPDATE SET
                 used = usage.used + CASE WHEN $4 < $3 - usage.used THEN $4 ELSE $3 - usage.used END,
                 latest_lease = CASE WHEN $4 < $3 - usage.used THEN $4 ELSE $3 - usage.used END
             WHERE usage.used < $3
             RETURNING account, used, latest_lease",
        )
        .bind(account.0)
        .bind(period.to_string())
        .bind(row::count_parameter(limit))
        .bind(row::count_parameter(want));
        let leased = self.ledger().await?.fetch_optional(query).await?;
        match leased {
            Some(leased) => row::lease(&leased).map(|(_, lease)| lease),
            None => Ok(Lease { granted: 0, used: self.used(account, period).await? }),
        }
    }

    async fn lease_together(
        &self,
        period: Period,
        requests: &[LeaseRequest],
    ) -> Result<Vec<(AccountId, Lease)>, StoreError> {
        leases::lease_together(self.ledger().await?, period, requests).await
    }
}
