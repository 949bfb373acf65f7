//! The plan under concurrent calls: exactly as many queries as the plan has, and none that is only leased.

use std::slice;

use kuraka_sandbox::sample;

use crate::app::{eventually, scene};
use crate::crowd::crowd;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_clients_get_exactly_the_plans_queries() {
    let (app, owner) = scene().plan(400, 1_000_000, 1_000_000).start_with_owner().await;
    let told = crowd(slice::from_ref(&app), &owner, 200, 1_200).await;
    assert_eq!((told.found, told.refused), (400, 800));
    assert_eq!(app.used(&owner).await, 400);
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
