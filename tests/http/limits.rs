//! Rate and quota: a call over a limit is rejected with the time to wait, and admitted after that time.

use std::future::pending;
use std::time::Duration;

use kuraka_app::calendar;
use kuraka_sandbox::sample;
use tokio::time::timeout;

use crate::app::{now, scene};

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_call_after_retry_after_is_admitted() {
    let (app, owner) = scene().plan(1_000, 1, 2).start_with_owner().await;
    let ask = async || app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    ask().await.found();
    ask().await.found();
    for _ in 0..2 {
        let refused = ask().await;
        refused.refused("rate_limited");
        let told = refused.number("retry-after");
        assert_eq!(told, 1, "one call a second");
        let waited: Result<(), _> = timeout(Duration::from_secs(told), pending()).await;
        assert!(waited.is_err());
        ask().await.found();
    }
    ask().await.refused("rate_limited");
    assert_eq!(app.used(&owner).await, 4, "a call over the rate costs nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn after_the_last_query_the_quota_is_exceeded_until_next_month() {
    let (app, owner) = scene().plan(3, 1_000, 1_000).start_with_owner().await;
    let ask = async || app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    for _ in 0..3 {
        ask().await.found();
    }
    for _ in 0..2 {
        let before = calendar::seconds_left(now());
        let refused = ask().await;
        let after = calendar::seconds_left(now());
        let message = refused.refused("quota_exceeded");
        // The seconds until the next month are in `RateLimit` only: a client would sleep for as long as `Retry-After` says.
        assert_eq!(refused.header("retry-after"), None);
        let (_, seconds) = refused.must("ratelimit").split_once("\"monthly\";r=0;t=").unwrap();
        assert!((after..=before).contains(&seconds.parse().unwrap()), "{refused:?}");
        assert_eq!(message, "Ha superado la cantidad de consultas mensuales");
    }
    assert_eq!(app.used(&owner).await, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_plan_without_queries_admits_no_call() {
    let (app, owner) = scene().plan(0, 10, 10).start_with_owner().await;
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.refused("quota_exceeded");
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn each_account_has_its_own_limits() {
    let app = scene().plan(1, 1, 1).start().await;
    let (first, second) = (app.owner().await, app.owner().await);
    app.post("/ruc").token(&first.token).ruc(sample::COMPANY).send().await.found();
    app.post("/ruc").token(&first.token).ruc(sample::COMPANY).send().await.refused("rate_limited");
    app.post("/ruc").token(&second.token).ruc(sample::COMPANY).send().await.found();
}
