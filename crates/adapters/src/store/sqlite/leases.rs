//! Leases for many accounts in one statement.

use kuraka_ports::Period;

use super::connection::Query;
use super::row;
use crate::store::lease_queue::LeaseRequest;

/// Leases from the rows of these accounts, which are all different. Returns `account, used, latest_lease` of each row that
/// exists and has something left.
pub(super) fn query(period: Period, requests: &[LeaseRequest]) -> Query<'static> {
    let requests: Vec<[i64; 3]> = requests
        .iter()
        .map(|LeaseRequest { account, limit, want, .. }| {
            [account.0, row::count_parameter(*limit), row::count_parameter(*want)]
        })
        .collect();
    // SQLite has no arrays as parameters.
    let requests = serde_json::to_string(&requests).unwrap_or_default();
    sqlx::query(
        "UPDATE usage SET
             used = used + CASE WHEN want < most - used THEN want ELSE most - used END,
             latest_lease = CASE WHEN want < most - used THEN want ELSE most - used END
         FROM (SELECT value ->> 0 AS requester, value ->> 1 AS most, value ->> 2 AS want FROM json_each($2))
         WHERE account = requester AND period = $1 AND used < most
         RETURNING account, used, latest_lease",
    )
    .bind(period.to_string())
    .bind(requests)
}
