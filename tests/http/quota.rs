//! The plan under a crowd: exactly so many, however many ask at once.

use std::slice;

use kuraka_app::calendar;
use kuraka_sandbox::sample;

use crate::app::{eventually, now, scene};
use crate::crowd::crowd;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_clients_get_exactly_the_plan() {
    let app = scene().plan(1_000, 1_000_000, 1_000_000).start().await;
    let owner = app.owner().await;
    let told = crowd(slice::from_ref(&app), &owner, 200, 10_000).await;
    assert_eq!((told.found, told.refused), (1_000, 9_000));
    assert_eq!(app.used(&owner).await, 1_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_plan_in_leases_is_used_to_its_last_query_and_not_one_further() {
    const PLAN: u64 = 100_000;
    const LEFT: u64 = 2_000;
    let app = scene().plan(PLAN, 1_000_000, 1_000_000).start().await;
    let owner = app.owner().await;
    // The month so far, as another process would have used it.
    let period = calendar::period(now());
    let before = app.store.lease(owner.account, period, PLAN, PLAN - LEFT).await.unwrap();
    assert_eq!(before.granted, PLAN - LEFT);
    let told = crowd(slice::from_ref(&app), &owner, 50, 4_000).await;
    assert_eq!((told.found, told.refused), (LEFT, 4_000 - LEFT));
    assert_eq!(app.used(&owner).await, PLAN);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_idle_lease_goes_back_and_so_does_every_lease_when_the_server_stops() {
    let mut app = scene().plan(100_000, 1_000_000, 1_000_000).start().await;
    let owner = app.owner().await;
    let ask = async || app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    ask().await.found();
    assert_eq!(app.used(&owner).await, 1_000, "one in a hundred of the plan is leased");
    eventually("the idle lease is back", async || (app.used(&owner).await == 1).then_some(())).await;
    ask().await.found();
    assert!(app.used(&owner).await > 900);
    app.stop().await;
    assert_eq!(app.used(&owner).await, 2);
}
