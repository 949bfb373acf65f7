//! The plan under concurrent calls: exactly as many queries as the plan has.

use std::slice;

use kuraka_app::calendar;
use kuraka_sandbox::sample;

use crate::app::{eventually, now, scene};
use crate::crowd::crowd;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_clients_get_exactly_the_plans_queries() {
    let (app, owner) = scene().plan(1_000, 1_000_000, 1_000_000).start_with_owner().await;
    let told = crowd(slice::from_ref(&app), &owner, 200, 3_000).await;
    assert_eq!((told.found, told.refused), (1_000, 2_000));
    assert_eq!(app.used(&owner).await, 1_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leases_of_a_large_plan_end_with_its_last_query() {
    const PLAN: u64 = 100_000;
    const LEFT: u64 = 2_000;
    let (app, owner) = scene().plan(PLAN, 1_000_000, 1_000_000).start_with_owner().await;
    // The queries that another process has used this month.
    let period = calendar::period(now());
    let before = app.store.lease(owner.account, period, PLAN, PLAN - LEFT).await.unwrap();
    assert_eq!(before.granted, PLAN - LEFT);
    let told = crowd(slice::from_ref(&app), &owner, 50, 4_000).await;
    assert_eq!((told.found, told.refused), (LEFT, 4_000 - LEFT));
    assert_eq!(app.used(&owner).await, PLAN);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn idle_leases_and_leases_of_a_stopping_server_are_returned() {
    let mut app = scene().plan(100_000, 1_000_000, 1_000_000).start().await;
    let owner = app.owner().await;
    let ask = async || app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    ask().await.found();
    assert_eq!(app.used(&owner).await, 1_000, "a hundredth of the plan is leased");
    eventually("the idle lease is back", async || (app.used(&owner).await == 1).then_some(())).await;
    ask().await.found();
    assert!(app.used(&owner).await > 900);
    app.stop().await;
    assert_eq!(app.used(&owner).await, 2);
}
