//! What [`Retention`] promises of all rows. What is old is in the suite of each port.

use std::sync::Arc;

use super::daily_usage::{add, found, since};
use super::samples::{LATER, account};
use crate::{Accounts, DailyUsage, DayCount, OldRows, OperationName, Retention};

/// Stores delete in parts.
pub async fn thousands_of_old_rows_are_deleted<S: Accounts + DailyUsage + Retention>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let count = |number| DayCount { operation: OperationName::Owned(format!("ruc-{number}")), ..found(1, 1) };
    let counts: Vec<_> = (0..2_100).map(count).collect();
    add(&*store, owner, &counts).await;
    store.delete_old(OldRows::DailyUsage, LATER).await.expect("a store that answers");
    assert_eq!(since(&*store, owner, 1).await, []);
}
