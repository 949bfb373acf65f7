//! What [`DailyUsage`] promises.

use std::sync::Arc;

use kuraka_domain::{Date, ResultCode};
use tokio::task::JoinSet;

use super::samples::account;
use crate::{AccountId, Accounts, DailyUsage, DayCount, Operation};

/// Makes each promise of [`DailyUsage`] a test; takes the type and an expression that gives
/// `(Arc<impl Accounts + DailyUsage>, guard)`.
#[macro_export]
macro_rules! daily_usage_contract {
    ($subject:ty, $fresh:expr) => {
        $crate::contract_tests!(
            daily_usage,
            $subject,
            $fresh,
            [
                counts_add_up_by_day_operation_and_code,
                every_operation_and_code_is_kept_apart,
                a_history_begins_where_it_is_asked_to,
                a_history_holds_nobody_elses_counts,
                counts_of_nobody_are_dropped_and_take_no_other_along,
                what_many_add_at_once_is_all_there,
                earlier_days_can_be_forgotten,
                a_deleted_accounts_history_is_gone,
            ]
        );
    };
}

fn day(day: u8) -> Date {
    Date::new(2026, 11, day).expect("a real day")
}

fn found(on: u8, count: u64) -> DayCount {
    DayCount { day: day(on), operation: Operation::Summary, code: ResultCode::Found, count }
}

async fn add<S: DailyUsage>(store: &S, account: AccountId, counts: &[DayCount]) {
    let counts: Vec<_> = counts.iter().map(|count| (account, *count)).collect();
    store.add(&counts).await.expect("a store that answers");
}

async fn since<S: DailyUsage>(store: &S, account: AccountId, on: u8) -> Vec<DayCount> {
    store.since(account, day(on)).await.expect("a store that answers")
}

/// Whether in one batch or in several.
pub async fn counts_add_up_by_day_operation_and_code<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    assert_eq!(since(&*store, owner, 1).await, []);
    add(&*store, owner, &[found(2, 3), found(1, 1)]).await;
    add(&*store, owner, &[found(2, 4)]).await;
    assert_eq!(since(&*store, owner, 1).await, [found(1, 1), found(2, 7)]);
}

/// Read back as they were written, in order.
pub async fn every_operation_and_code_is_kept_apart<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let mut all = Vec::new();
    for operation in Operation::ALL {
        for (index, code) in ResultCode::ALL.into_iter().enumerate() {
            all.push(DayCount { operation, code, ..found(1, index as u64 + 1) });
        }
    }
    add(&*store, owner, &all).await;
    all.sort();
    assert_eq!(since(&*store, owner, 1).await, all);
}

/// That day included.
pub async fn a_history_begins_where_it_is_asked_to<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, owner, &[found(1, 1), found(2, 2), found(3, 3)]).await;
    assert_eq!(since(&*store, owner, 2).await, [found(2, 2), found(3, 3)]);
}

/// Not even by a slip of the number.
pub async fn a_history_holds_nobody_elses_counts<S: Accounts + DailyUsage>(store: Arc<S>) {
    let (first, second) = (account(&*store, 1).await.id, account(&*store, 2).await.id);
    add(&*store, first, &[found(1, 1)]).await;
    assert_eq!(since(&*store, second, 1).await, []);
}

/// An account may go while its calls are still counted.
pub async fn counts_of_nobody_are_dropped_and_take_no_other_along<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let nobody = AccountId(owner.0 + 1000);
    let counts = [(nobody, found(1, 5)), (owner, found(1, 1))];
    store.add(&counts).await.expect("a store that answers");
    assert_eq!(since(&*store, owner, 1).await, [found(1, 1)]);
    assert_eq!(since(&*store, nobody, 1).await, []);
}

/// None is lost.
pub async fn what_many_add_at_once_is_all_there<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let mut adders = JoinSet::new();
    for _ in 0..16 {
        let store = Arc::clone(&store);
        adders.spawn(async move { add(&*store, owner, &[found(1, 2)]).await });
    }
    adders.join_all().await;
    assert_eq!(since(&*store, owner, 1).await, [found(1, 32)]);
}

/// Everybody's.
pub async fn earlier_days_can_be_forgotten<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, owner, &[found(1, 1), found(2, 2)]).await;
    store.forget_before(day(2)).await.expect("a store that answers");
    assert_eq!(since(&*store, owner, 1).await, [found(2, 2)]);
}

/// With all else of it.
pub async fn a_deleted_accounts_history_is_gone<S: Accounts + DailyUsage>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    add(&*store, owner, &[found(1, 1)]).await;
    store.delete(owner).await.expect("a store that answers");
    assert_eq!(since(&*store, owner, 1).await, []);
}
