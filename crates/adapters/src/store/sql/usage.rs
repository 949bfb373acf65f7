//! The ledger of used queries. A lease is one conditional statement, or a transaction that takes the write lock first,
//! so that concurrent callers never lease more than the limit.

use async_trait::async_trait;
use kuraka_ports::{AccountId, Lease, Period, StoreResult, UsageLedger};

use super::{Store, leases, row};
use crate::store::lease_queue::{LeaseRequest, LeaseWriter};
use crate::store::parameter::Parameters;

#[async_trait]
impl UsageLedger for Store {
    async fn lease(&self, account: AccountId, period: Period, limit: u64, want: u64) -> StoreResult<Lease> {
        let request = LeaseRequest { account, period, limit, want };
        match self.leases.lease(self, request).await? {
            Some(lease) => Ok(lease),
            None => self.lease_alone(request).await,
        }
    }

    async fn settle(&self, account: AccountId, period: Period, unused: u64) -> StoreResult<()> {
        let statement = "UPDATE usage SET used = CASE WHEN used < $3 THEN 0 ELSE used - $3 END
             WHERE account = $1 AND period = $2";
        let parameters: Parameters<'_> = &[&account.0, &period.to_string(), &unused];
        self.ledger().await?.execute(statement, parameters).await.map(drop)
    }

    async fn used(&self, account: AccountId, period: Period) -> StoreResult<u64> {
        let statement = "SELECT used FROM usage WHERE account = $1 AND period = $2";
        let parameters: Parameters<'_> = &[&account.0, &period.to_string()];
        let used = self.reader().await?.find(statement, parameters, |row| row::count(row, "used")).await?;
        Ok(used.unwrap_or_default())
    }
}

impl LeaseWriter for Store {
    async fn lease_alone(&self, request: LeaseRequest) -> StoreResult<Lease> {
        let LeaseRequest { account, period, limit, want } = request;
        let statement = "INSERT INTO usage (account, period, used, latest_lease)
             VALUES ($1, $2, CASE WHEN $4 < $3 THEN $4 ELSE $3 END, CASE WHEN $4 < $3 THEN $4 ELSE $3 END)
             ON CONFLICT (account, period) DO UPDATE SET
                 used = usage.used + CASE WHEN $4 < $3 - usage.used THEN $4 ELSE $3 - usage.used END,
                 latest_lease = CASE WHEN $4 < $3 - usage.used THEN $4 ELSE $3 - usage.used END
             WHERE usage.used < $3
             RETURNING account, used, latest_lease";
        let parameters: Parameters<'_> = &[&account.0, &period.to_string(), &limit, &want];
        let leased = self.ledger().await?.find(statement, parameters, row::lease).await?;
        match leased {
            Some((_, lease)) => Ok(lease),
            None => Ok(Lease { granted: 0, used: self.used(account, period).await? }),
        }
    }

    async fn lease_together(&self, period: Period, requests: &[LeaseRequest]) -> StoreResult<Vec<(AccountId, Lease)>> {
        leases::lease_together(self.ledger().await?, period, requests).await
    }
}
