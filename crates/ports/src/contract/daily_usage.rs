//! What [`DailyUsage`] promises.

use std::sync::Arc;

use kuraka_domain::{Date, ResultCode};
use tokio::task::JoinSet;

use super::samples::account;
use crate::{AccountId, Accounts, DailyUsage, DayCount, OperationName};

fn day(day: u8) -> Date {
    Date::new(2026, 11, day).expect("a real day")
}

fn found(on: u8, count: u64) -> DayCount {
    DayCount { day: day(on), operation: OperationName::Borrowed("ruc"), code: ResultCode::Found, count }
}

async fn add<S: DailyUsage>(store: &S, account: AccountId, counts: &[DayCount]) {
    let counts: Vec<_> = counts.iter().map(|count| (account, count.clone())).collect();
    store.add(&counts).await.expect("a store that answers");
}

async fn since<S: DailyUsage>(store: &S, account: AccountId, on: u8) -> Vec<DayCount> {
    store.since(account, day(on)).await.expect("a store that answers")
}

pub async fn counts_add_up_by_day_operation_and_code<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    assert_eq!(since(&*store, owner, 1).await, []);
    add(&*store, owner, &[found(2, 3), found(1, 1)]).await;
    add(&*store, owner, &[found(2, 4)]).await;
    assert_eq!(since(&*store, owner, 1).await, [found(1, 1), found(2, 7)]);
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

pub async fn daily_usage_begins_on_the_requested_day<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, owner, &[found(1, 1), found(2, 2), found(3, 3)]).await;
    assert_eq!(since(&*store, owner, 2).await, [found(2, 2), found(3, 3)]);
}

pub async fn daily_usage_holds_the_accounts_own_counts<S: Accounts + DailyUsage>(store: Arc<S>) {
    let (first, second) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    add(&*store, first, &[found(1, 1)]).await;
    assert_eq!(since(&*store, second, 1).await, []);
}

/// An account may be deleted before its calls are written.
pub async fn counts_of_an_unknown_account_are_dropped_alone<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let unknown = AccountId(owner.0 + 1000);
    let counts = [(unknown, found(1, 5)), (owner, found(1, 1))];
    store.add(&counts).await.expect("a store that answers");
    assert_eq!(since(&*store, owner, 1).await, [found(1, 1)]);
    assert_eq!(since(&*store, unknown, 1).await, []);
}

pub async fn concurrent_additions_all_count<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let mut adders = JoinSet::new();
    for _ in 0..16 {
        let store = Arc::clone(&store);
        adders.spawn(async move { add(&*store, owner, &[found(1, 2)]).await });
    }
    adders.join_all().await;
    assert_eq!(since(&*store, owner, 1).await, [found(1, 32)]);
}

pub async fn earlier_days_can_be_forgotten<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, owner, &[found(1, 1), found(2, 2)]).await;
    store.forget_before(day(2)).await.expect("a store that answers");
    assert_eq!(since(&*store, owner, 1).await, [found(2, 2)]);
}

/// Stores delete in parts.
pub async fn thousands_of_earlier_days_can_be_forgotten<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let last = day(2).days_since_epoch();
    let days = (last - 2_500..=last).filter_map(Date::from_days_since_epoch);
    let counts: Vec<_> = days.map(|day| DayCount { day, ..found(1, 1) }).collect();
    for part in counts.chunks(500) {
        add(&*store, owner, part).await;
    }
    store.forget_before(day(2)).await.expect("a store that answers");
    assert_eq!(store.since(owner, Date::MIN).await.expect("a store that answers"), [found(2, 1)]);
}

pub async fn a_deleted_accounts_daily_usage_is_gone<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, owner, &[found(1, 1)]).await;
    store.delete(owner).await.expect("a store that answers");
    assert_eq!(since(&*store, owner, 1).await, []);
}
