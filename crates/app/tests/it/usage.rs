//! An account's usage: exact queries of the month, and calls by day, operation and code.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_app::{Caller, Usage};
use kuraka_domain::{Date, ResultCode};
use kuraka_ports::fake::MemoryStore;
use kuraka_ports::{AccountId, DailyUsage, DayCount, Period, StoreError, StoreErrorKind};

use super::fixture::{DETAIL, TestApp, delete_old_rows, plan};

/// A fixture whose account has made seven calls.
async fn app(queries: u64) -> (TestApp, Usage, Arc<Caller>) {
    let app = TestApp::with(&[plan("free", queries, 100_000, 100_000)]).await;
    let usage = Usage::new(app.store.clone(), app.store.clone(), app.meters.clone(), app.clock.clone());
    for _ in 0..7 {
        app.admit(app.caller().await.unwrap()).await.unwrap();
    }
    let caller = app.caller().await.unwrap();
    (app, usage, caller)
}

#[tokio::test]
async fn leased_and_unspent_queries_do_not_count_as_used() {
    for queries in [10, 1_000, 1_000_000] {
        let (app, usage, _) = app(queries).await;
        let of_month = usage.month(app.account.id, &plan("free", queries, 1, 1)).await.unwrap();
        assert_eq!((of_month.used, of_month.limit), (7, queries));
        assert_eq!(of_month.period, Period { year: 2026, month: 11 });
    }
}

#[tokio::test]
async fn calls_that_were_not_written_are_written_next_time() {
    let (app, usage, caller) = app(1_000).await;
    caller.count(DETAIL, ResultCode::Found);
    app.store.fail(StoreErrorKind::Unwritable);
    assert!(usage.write().await.is_err());
    caller.count(DETAIL, ResultCode::Found);
    app.store.fail(None);
    usage.write().await.unwrap();
    let counts = usage.daily.since(app.account.id, Date::MIN).await.unwrap();
    assert_eq!(counts.iter().map(|count| count.count).collect::<Vec<_>>(), [2]);
}

/// Writes counts without an answer, as when a commit takes effect after its timeout.
struct LateStore(Arc<MemoryStore>);

#[async_trait]
impl DailyUsage for LateStore {
    async fn add(&self, counts: &[(AccountId, DayCount)]) -> Result<(), StoreError> {
        self.0.add(counts).await?;
        Err(StoreError::new(StoreErrorKind::Unavailable))
    }

    async fn since(&self, account: AccountId, day: Date) -> Result<Vec<DayCount>, StoreError> {
        self.0.since(account, day).await
    }
}

#[tokio::test]
async fn calls_that_may_have_been_written_are_not_written_twice() {
    let (app, usage, caller) = app(1_000).await;
    let late = Arc::new(LateStore(app.store.clone()));
    let unanswered = Usage::new(app.store.clone(), late, app.meters.clone(), app.clock.clone());
    caller.count(DETAIL, ResultCode::Found);
    assert!(unanswered.write().await.is_err());
    usage.write().await.unwrap();
    let counts = usage.daily.since(app.account.id, Date::MIN).await.unwrap();
    assert_eq!(counts.iter().map(|count| count.count).collect::<Vec<_>>(), [1]);
}

#[tokio::test]
async fn days_are_perus_and_old_days_are_deleted() {
    let (app, usage, caller) = app(1_000).await;
    app.clock.set("2026-11-21T04:59:59Z".parse().unwrap());
    caller.count(DETAIL, ResultCode::Found);
    usage.write().await.unwrap();
    app.clock.advance(Duration::from_secs(1));
    caller.count(DETAIL, ResultCode::Found);
    usage.write().await.unwrap();
    let days = async || {
        let counts = usage.daily.since(app.account.id, Date::MIN).await.unwrap();
        counts.iter().map(|count| count.day.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(days().await, ["2026-11-20", "2026-11-21"]);
    app.clock.advance(Duration::from_secs(400 * 86_400));
    delete_old_rows(&app.store, &app.clock).await;
    assert_eq!(days().await, ["2026-11-21"]);
}
