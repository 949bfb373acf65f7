//! Unknown tokens with a right checksum: above 20 in a minute from one network they are refused before the store is
//! asked. `RELIABILITY_FLOOD` sets the seconds of a flood of them beside calls with known tokens.

use std::sync::Arc;
use std::time::Duration;

use kuraka_app::ApiToken;
use kuraka_sandbox::sample;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::answer::Answer;
use crate::app::{App, eventually, scene};
use crate::reliability::{figure, number};

/// Unknown tokens, and calls of a client with a known token, in a second.
const UNKNOWN: u64 = 400;
const CALLS: u64 = 200;

fn invented() -> String {
    ApiToken::generate(getrandom::fill).unwrap().reveal().to_owned()
}

async fn call(app: &App, token: &str, from: &str) -> Answer {
    app.post("/ruc").token(token).header("X-Forwarded-For", from).ruc(sample::COMPANY).send().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_21st_unknown_token_of_a_minute_gets_429() {
    let app = scene().behind_a_proxy().start().await;
    let (cached, fresh) = (app.owner().await, app.owner().await);
    call(&app, &cached.token, "192.0.2.1").await.found();
    for _ in 0..20 {
        call(&app, &invented(), "192.0.2.1").await.refused("unauthenticated");
    }
    for (what, from) in [("IPv4", "192.0.2.1"), ("the same address, mapped", "::ffff:192.0.2.1")] {
        let refused = call(&app, &invented(), from).await;
        let message = refused.refused("rate_limited");
        assert!(message.contains("demasiados tokens desconocidos") && message.contains("Retry-After"), "{message}");
        assert_eq!(refused.status, 429, "{what}");
        assert_eq!(refused.number("retry-after"), 1, "{what}");
        assert!(refused.header("ratelimit").is_none(), "the caller is unknown");
    }
    // A wrong checksum costs nothing and is answered as always.
    call(&app, "kur_nothing", "192.0.2.1").await.refused("unauthenticated");
    for token in [&cached.token, &fresh.token] {
        call(&app, token, "192.0.2.1").await.found();
    }
    let later = app.owner().await;
    let made = Instant::now();
    eventually("a new token is known", async || {
        (call(&app, &later.token, "192.0.2.1").await.status == 200).then_some(())
    })
    .await;
    assert!(made.elapsed() < Duration::from_secs(5), "{:?}", made.elapsed());
    call(&app, &invented(), "192.0.2.2").await.refused("unauthenticated");
    let used = [app.used(&fresh).await, app.used(&later).await];
    assert!(used.iter().all(|used| *used >= 1), "{used:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_untrusted_client_cannot_choose_the_network_that_is_counted() {
    let app = scene().start().await;
    for number in 0..20 {
        call(&app, &invented(), &format!("192.0.2.{number}")).await.refused("unauthenticated");
    }
    call(&app, &invented(), "192.0.2.99").await.refused("rate_limited");
}

/// Calls for this many seconds. Returns the 99th percentile, measured from the planned start of each call.
async fn calls(app: Arc<App>, token: String, seconds: u64) -> Duration {
    let mut beat = every(CALLS);
    let mut calls = JoinSet::new();
    for _ in 0..CALLS * seconds {
        let due = beat.tick().await;
        let (app, token) = (Arc::clone(&app), token.clone());
        calls.spawn(async move {
            call(&app, &token, "192.0.2.1").await.found();
            due.elapsed()
        });
    }
    let mut times = calls.join_all().await;
    times.sort();
    times[times.len() * 99 / 100]
}

/// Presents unknown tokens from the same network. Returns how many were refused as unknown and how many as too many.
async fn flood(app: Arc<App>, seconds: u64) -> (usize, usize) {
    let mut beat = every(UNKNOWN);
    let mut calls = JoinSet::new();
    for _ in 0..UNKNOWN * seconds {
        beat.tick().await;
        let app = Arc::clone(&app);
        calls.spawn(async move { call(&app, &invented(), "192.0.2.1").await.status });
    }
    let statuses = calls.join_all().await;
    let count = |status: u16| statuses.iter().filter(|found| **found == status).count();
    assert_eq!(count(401) + count(429), statuses.len());
    (count(401), count(429))
}

fn every(per_second: u64) -> tokio::time::Interval {
    let mut beat = interval(Duration::from_micros(1_000_000 / per_second));
    beat.set_missed_tick_behavior(MissedTickBehavior::Burst);
    beat
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_unknown_tokens_leaves_a_known_token_alone() {
    let seconds = number("FLOOD", 2);
    let app = Arc::new(scene().behind_a_proxy().start().await);
    let owner = app.owner().await;
    calls(Arc::clone(&app), owner.token.clone(), 1).await;
    let alone = calls(Arc::clone(&app), owner.token.clone(), seconds).await;
    let flooding = tokio::spawn(flood(Arc::clone(&app), seconds));
    let beside = calls(Arc::clone(&app), owner.token.clone(), seconds).await;
    let (unknown, too_many) = flooding.await.unwrap();
    // A window lasts a minute; the flood may see the end of one.
    assert!(unknown <= 20 * (1 + seconds as usize / 60 + 1) && too_many > 0, "{unknown} looked up, {too_many} not");
    let ratio = beside.as_secs_f64() / alone.as_secs_f64();
    figure(
        "S2",
        &format!("{UNKNOWN} unknown tokens a second beside {CALLS} calls of /ruc a second, from one address"),
        &format!(
            "p99 of /ruc {:.1} ms, alone {:.1} ms: {ratio:.2} times; {unknown} looked up, {too_many} refused before",
            beside.as_secs_f64() * 1e3,
            alone.as_secs_f64() * 1e3
        ),
    );
    assert!(beside < Duration::from_secs(2), "{beside:?}");
}
