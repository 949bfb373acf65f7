//! What [`DailyUsage`] promises.

use std::sync::Arc;

use jiff::Timestamp;
use kuraka_domain::{Date, ResultCode};

use super::samples::account;
use super::together;
use crate::{AccountId, Accounts, DailyUsage, DayCount, OldRows, OperationName, Retention};

fn day(day: u8) -> Date {
    Date::new(2026, 11, day).expect("a real day")
}

pub(super) fn found(on: u8, count: u64) -> DayCount {
    DayCount { day: day(on), operation: OperationName::Borrowed("ruc"), code: ResultCode::Found, count }
}

pub(super) async fn add<S: DailyUsage>(store: &S, account: AccountId, counts: &[DayCount]) {
    let counts: Vec<_> = counts.iter().map(|count| (account, count.clone())).collect();
    store.add(&counts).await.expect("a store that answers");
}

pub(super) async fn since<S: DailyUsage>(store: &S, account: AccountId, on: u8) -> Vec<DayCount> {
    store.since(account, day(on)).await.expect("a store that answers")
}

/// Those of an account that was deleted before its calls are written are dropped.
pub async fn counts_of_an_account_add_up_by_day<S: Accounts + DailyUsage>(store: Arc<S>) {
    let (owner, other) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    let unknown = AccountId(other.0 + 1000);
    add(&*store, owner, &[found(2, 3), found(1, 1)]).await;
    store.add(&[(unknown, found(1, 5)), (owner, found(2, 4))]).await.expect("a store that answers");
    together(&store, 0..16, |store, _| async move { add(&*store, owner, &[found(3, 2)]).await }).await;
    assert_eq!(since(&*store, owner, 1).await, [found(1, 1), found(2, 7), found(3, 32)]);
    assert_eq!(since(&*store, owner, 2).await, [found(2, 7), found(3, 32)]);
    assert_eq!((since(&*store, other, 1).await, since(&*store, unknown, 1).await), (vec![], vec![]));
}

/// Sorted.
pub async fn every_operation_and_code_is_kept_apart<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let mut all = Vec::new();
    for operation in ["ruc", "ruc-official", "cpe", "an operation of a later version"] {
        for (index, code) in ResultCode::ALL.into_iter().enumerate() {
            all.push(DayCount { operation: OperationName::Borrowed(operation), code, ..found(1, index as u64 + 1) });
        }
    }
    add(&*store, owner, &all).await;
    all.sort();
    assert_eq!(since(&*store, owner, 1).await, all);
}

pub async fn earlier_days_can_be_forgotten<S: Accounts + Retention + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, owner, &[found(1, 1), found(2, 2)]).await;
    // Noon in Peru.
    let second: Timestamp = "2026-11-02T17:00:00Z".parse().expect("a time");
    store.delete_old(OldRows::DailyUsage, second).await.expect("a store that answers");
    assert_eq!(since(&*store, owner, 1).await, [found(2, 2)]);
}
