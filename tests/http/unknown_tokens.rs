//! Unknown tokens: refused at once, in any number, and without effect on known tokens from the same address.
//! `RELIABILITY_FLOOD` sets the seconds of a flood of them beside calls with known tokens.

use std::sync::Arc;
use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use crate::answer::Answer;
use crate::app::{App, eventually, now, scene};
use crate::reliability::{figure, number};

/// Unknown tokens, and calls of a client with a known token, in a second.
const UNKNOWN: u64 = 400;
const CALLS: u64 = 200;

/// A token that the server did not make.
fn invented() -> String {
    format!("kur_{:036}", getrandom::u64().unwrap())
}

async fn call(app: &App, token: &str) -> Answer {
    app.post("/ruc").token(token).ruc(sample::COMPANY).send().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn any_number_of_unknown_tokens_gets_401_and_known_tokens_work() {
    let app = scene().start().await;
    let (cached, fresh) = (app.owner().await, app.owner().await);
    call(&app, &cached.token).await.found();
    let (revoked, id) = app.token_of(cached.account).await;
    call(&app, &revoked).await.found();
    assert!(app.store.revoke(None, id, now()).await.unwrap());
    eventually("the revoked token is refused", async || (call(&app, &revoked).await.status == 401).then_some(())).await;
    for _ in 0..50 {
        for unknown in [&invented(), &revoked, app.unknown_token().await.reveal()] {
            call(&app, unknown).await.refused("unauthenticated");
        }
    }
    for token in [&cached.token, &fresh.token, &app.owner().await.token] {
        call(&app, token).await.found();
    }
}

/// Calls for this many seconds. Returns the 99th percentile, measured from the planned start of each call.
async fn calls(app: Arc<App>, token: String, seconds: u64) -> Duration {
    let mut beat = every(CALLS);
    let mut calls = JoinSet::new();
    for _ in 0..CALLS * seconds {
        let due = beat.tick().await;
        let (app, token) = (Arc::clone(&app), token.clone());
        calls.spawn(async move {
            call(&app, &token).await.found();
            due.elapsed()
        });
    }
    let mut times = calls.join_all().await;
    times.sort();
    times[times.len() * 99 / 100]
}

/// Presents unknown tokens from the same address: invented ones, and each second time one with a right checksum.
/// Returns how many were refused.
async fn flood(app: Arc<App>, seconds: u64) -> usize {
    let mut beat = every(UNKNOWN);
    let mut calls = JoinSet::new();
    let right = app.unknown_token().await;
    for number in 0..UNKNOWN * seconds {
        beat.tick().await;
        let token = if number % 2 == 0 { invented() } else { right.reveal().to_owned() };
        let app = Arc::clone(&app);
        calls.spawn(async move { drop(call(&app, &token).await.refused("unauthenticated")) });
    }
    calls.join_all().await.len()
}

fn every(per_second: u64) -> tokio::time::Interval {
    let mut beat = interval(Duration::from_micros(1_000_000 / per_second));
    beat.set_missed_tick_behavior(MissedTickBehavior::Burst);
    beat
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_unknown_tokens_leaves_a_known_token_alone() {
    let seconds = number("FLOOD", 2);
    let app = Arc::new(scene().start().await);
    let owner = app.owner().await;
    calls(Arc::clone(&app), owner.token.clone(), 1).await;
    let alone = calls(Arc::clone(&app), owner.token.clone(), seconds).await;
    let flooding = tokio::spawn(flood(Arc::clone(&app), seconds));
    let beside = calls(Arc::clone(&app), owner.token.clone(), seconds).await;
    let refused = flooding.await.unwrap();
    let ratio = beside.as_secs_f64() / alone.as_secs_f64();
    figure(
        "S2",
        &format!("{UNKNOWN} unknown tokens a second beside {CALLS} calls of /ruc a second, from one address"),
        &format!(
            "p99 of /ruc {:.1} ms, alone {:.1} ms: {ratio:.2} times; {refused} refused",
            beside.as_secs_f64() * 1e3,
            alone.as_secs_f64() * 1e3
        ),
    );
    assert!(beside < Duration::from_secs(2), "{beside:?}");
}
