//! Leases for many accounts in one statement.

use kuraka_ports::{AccountId, Lease, Period, StoreResult};

use super::connection::Connection;
use super::row;
use crate::store::lease_queue::LeaseRequest;
use crate::store::parameter::integer;

/// Leases from the rows of these different accounts. Rows that are missing or exhausted are not in the result.
pub(super) async fn lease_together(
    mut connection: Connection,
    period: Period,
    requests: &[LeaseRequest],
) -> StoreResult<Vec<(AccountId, Lease)>> {
    let accounts: Vec<i64> = requests.iter().map(|request| request.account.0).collect();
    let limits: Vec<i64> = requests.iter().map(|request| integer(request.limit)).collect();
    let wants: Vec<i64> = requests.iter().map(|request| integer(request.want)).collect();
    // Rows are locked in account order, so that servers do not deadlock. The update reads `used` again under the lock.
    let query = sqlx::query(
        "WITH locked AS (
             SELECT usage.account, most, want
             FROM usage JOIN unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS r (requester, most, want)
                 ON usage.account = requester AND usage.period = $1
             ORDER BY usage.account
             FOR UPDATE OF usage
         )
         UPDATE usage SET
             used = used + CASE WHEN want < most - used THEN want ELSE most - used END,
             latest_lease = CASE WHEN want < most - used THEN want ELSE most - used END
         FROM locked
         WHERE usage.account = locked.account AND usage.period = $1 AND usage.used < most
         RETURNING usage.account, usage.used, usage.latest_lease",
    )
    .bind(period.to_string())
    .bind(accounts)
    .bind(limits)
    .bind(wants);
    connection.rows(query).await?.iter().map(row::lease).collect()
}
