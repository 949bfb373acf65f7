//! Leases for many accounts in one transaction. They are read as three arrays in one row, because sqlx wakes the caller
//! for each row.

use std::iter::repeat_n;
use std::sync::{Arc, LazyLock};

use kuraka_ports::{AccountId, Lease, Period, StoreResult};
use serde::de::DeserializeOwned;
use sqlx::AssertSqlSafe;

use super::connection::Connection;
use super::error::unreadable;
use super::row;
use crate::store::lease_queue::{LeaseRequest, MAX_BATCH};
use crate::store::parameter::integer;

/// The texts for 1, 2, 4, … [`MAX_BATCH`] rows.
static TEXTS: LazyLock<Vec<Arc<str>>> =
    LazyLock::new(|| (0..=MAX_BATCH.ilog2()).map(|power| statements(1 << power).into()).collect());

const STATEMENTS: usize = 4;

/// Leases from the rows of these different accounts. Missing rows are not in the result.
pub(super) async fn lease_together(
    mut connection: Connection,
    period: Period,
    requests: &[LeaseRequest],
) -> StoreResult<Vec<(AccountId, Lease)>> {
    // Few different texts stay prepared. A row of nulls requests nothing.
    let rows = requests.len().next_power_of_two();
    let text = TEXTS.get(rows.ilog2() as usize).cloned().unwrap_or_else(|| statements(rows).into());
    let mut query = sqlx::query(AssertSqlSafe(text)).bind(period.to_string());
    for LeaseRequest { account, limit, want, .. } in requests {
        query = query.bind(account.0).bind(integer(*limit)).bind(integer(*want));
    }
    for null in repeat_n(None::<i64>, 3 * (rows - requests.len())) {
        query = query.bind(null);
    }
    let leased = connection.fetch_one_of_transaction(query, STATEMENTS).await?;
    let accounts: Vec<i64> = numbers(row::column(&leased, "accounts")?)?;
    let granted: Vec<u64> = numbers(row::column(&leased, "granted")?)?;
    let used: Vec<u64> = numbers(row::column(&leased, "used")?)?;
    let leases = accounts.into_iter().zip(granted).zip(used);
    let leases: Vec<_> =
        leases.map(|((account, granted), used)| (AccountId(account), Lease { granted, used })).collect();
    // SQLite does not write a row that is updated to its own values, such as an exhausted one.
    connection.report(leases.iter().any(|(_, lease)| lease.granted > 0));
    Ok(leases)
}

/// `$1` is the period; each row has account, limit and want.
fn statements(rows: usize) -> String {
    let values = |columns: usize| {
        let row = |first: usize| (first..first + columns).map(|at| format!("${at}")).collect::<Vec<_>>().join(",");
        (0..rows).map(|at| format!("({})", row(3 * at + 2))).collect::<Vec<_>>().join(",")
    };
    format!(
        "BEGIN IMMEDIATE;
         UPDATE usage SET
             used = used + max(0, min(column3, column2 - used)),
             latest_lease = max(0, min(column3, column2 - used))
         FROM (VALUES {requests})
         WHERE account = column1 AND period = $1;
         SELECT json_group_array(account) AS accounts, json_group_array(latest_lease) AS granted,
             json_group_array(used) AS used
         FROM (VALUES {accounts}) CROSS JOIN usage ON account = column1 AND period = $1;
         COMMIT",
        requests = values(3),
        accounts = values(1),
    )
}

fn numbers<T: DeserializeOwned>(array: &str) -> StoreResult<Vec<T>> {
    serde_json::from_str(array).map_err(unreadable)
}
