//! What an account has used: its month to the query, its days by operation and end.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::{Caller, Usage};
use kuraka_domain::{Date, ResultCode};
use kuraka_ports::{DayCount, OperationName, Period, StoreErrorKind};

use super::house::{House, plan};

/// Where the house's operations stand in its list.
const SUMMARY: usize = 0;
const DETAIL: usize = 1;
const VOUCHER: usize = 2;

/// A house whose account has made seven calls.
async fn house(queries: u64) -> (House, Usage, Arc<Caller>) {
    let house = House::with(&[plan("free", queries, 100_000, 100_000)]).await;
    let usage = Usage::new(house.store.clone(), house.store.clone(), house.meters.clone(), house.clock.clone());
    for _ in 0..7 {
        house.admit(house.caller().await.unwrap()).await.unwrap();
    }
    let caller = house.caller().await.unwrap();
    (house, usage, caller)
}

#[tokio::test]
async fn what_is_leased_and_not_spent_is_not_used() {
    for queries in [10, 1_000, 1_000_000] {
        let (house, usage, _) = house(queries).await;
        let of_month = usage.of_month(house.account.id, &plan("free", queries, 1, 1)).await.unwrap();
        assert_eq!((of_month.used, of_month.limit), (7, queries));
        assert_eq!(of_month.period, Period { year: 2026, month: 11 });
    }
}

#[tokio::test]
async fn calls_are_written_in_batches_and_add_up() {
    let (house, usage, caller) = house(1_000).await;
    let day = Date::new(2026, 11, 20).unwrap();
    for _ in 0..3 {
        caller.count(VOUCHER, ResultCode::Found);
    }
    caller.count(SUMMARY, ResultCode::RateLimited);
    assert_eq!(usage.since(house.account.id, day).await.unwrap(), [], "not yet");
    usage.write().await.unwrap();
    usage.write().await.unwrap();
    let count = |operation, code, count| DayCount { day, operation: OperationName::new(operation), code, count };
    let expected = [count("cpe", ResultCode::Found, 3), count("ruc", ResultCode::RateLimited, 1)];
    assert_eq!(usage.since(house.account.id, day).await.unwrap(), expected);
}

#[tokio::test]
async fn what_could_not_be_written_is_written_the_next_time() {
    let (house, usage, caller) = house(1_000).await;
    caller.count(DETAIL, ResultCode::Found);
    house.store.fail(StoreErrorKind::Unavailable);
    assert!(usage.write().await.is_err());
    caller.count(DETAIL, ResultCode::Found);
    house.store.fail(None);
    usage.write().await.unwrap();
    let counts = usage.since(house.account.id, Date::MIN).await.unwrap();
    assert_eq!(counts.iter().map(|count| count.count).collect::<Vec<_>>(), [2]);
}

#[tokio::test]
async fn a_day_is_perus_and_old_days_are_forgotten() {
    let (house, usage, caller) = house(1_000).await;
    house.clock.set("2026-11-21T04:59:59Z".parse().unwrap());
    caller.count(DETAIL, ResultCode::Found);
    usage.write().await.unwrap();
    house.clock.advance(Duration::from_secs(1));
    caller.count(DETAIL, ResultCode::Found);
    usage.write().await.unwrap();
    let days = async || {
        let counts = usage.since(house.account.id, Date::MIN).await.unwrap();
        counts.iter().map(|count| count.day.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(days().await, ["2026-11-20", "2026-11-21"]);
    house.clock.advance(Duration::from_secs(400 * 86_400));
    usage.forget().await.unwrap();
    assert_eq!(days().await, ["2026-11-21"]);
}
