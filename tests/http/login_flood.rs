//! Two hundred sign-ins per second, each from another address and for another account, while clients call the API. A
//! password hash is slow by design and must not slow down the API. `RELIABILITY_FLOOD` sets the seconds of each half.

use std::sync::Arc;
use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::app::{App, scene};
use crate::load::bounded_ratio;
use crate::reliability::{figure, number};

/// Calls of the API per second, and sign-ins per second.
const CALLS: u64 = 200;
const LOG_INS: u64 = 200;
/// The maximum duration of a call during the flood, on a slow machine.
const MAX_TIME: Duration = Duration::from_secs(5);

fn every(per_second: u64) -> tokio::time::Interval {
    let mut beat = interval(Duration::from_micros(1_000_000 / per_second));
    beat.set_missed_tick_behavior(MissedTickBehavior::Burst);
    beat
}

/// Calls for this many seconds. Returns the 99th percentile, measured from the planned start of each call.
async fn call(app: Arc<App>, token: String, seconds: u64) -> Duration {
    let mut beat = every(CALLS);
    let mut calls = JoinSet::new();
    for _ in 0..CALLS * seconds {
        let due = beat.tick().await;
        let request = app.post("/ruc").token(&token).ruc(sample::COMPANY);
        calls.spawn(async move {
            request.send().await.found();
            due.elapsed()
        });
    }
    let mut times = calls.join_all().await;
    times.sort();
    assert!(times.last().is_some_and(|longest| *longest < MAX_TIME), "{:?}", times.last());
    times[times.len() * 99 / 100]
}

/// Signs in for this many seconds. Returns how many got "wrong password" and how many were rejected as too many.
async fn flood(app: Arc<App>, seconds: u64) -> (usize, usize) {
    let page = app.request("GET", "/ingresar").send().await;
    let (_, rest) = page.body.split_once("name=\"form_token\" value=\"").unwrap();
    let token = rest.split_once('"').unwrap().0.to_owned();
    let cookie = page.all("set-cookie")[0].split(';').next().unwrap().to_owned();
    let mut beat = every(LOG_INS);
    let mut log_ins = JoinSet::new();
    for number in 0..LOG_INS * seconds {
        beat.tick().await;
        let form = format!("email=u{number}%40example.pe&password=guess+guess+guess&form_token={token}");
        let request = app
            .post("/ingresar")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Origin", format!("http://{}", app.api))
            .header("Cookie", &cookie)
            .header("X-Forwarded-For", format!("198.{}.{}.{}", 18 + number / 65_536, number / 256 % 256, number % 256));
        log_ins.spawn(async move { request.body(form).send().await.status });
    }
    let statuses = log_ins.join_all().await;
    let count = |status: u16| statuses.iter().filter(|found| **found == status).count();
    let (wrong, busy) = (count(422), count(503));
    assert_eq!(wrong + busy, statuses.len(), "only a wrong password or a full queue");
    (wrong, busy)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_sign_ins_does_not_slow_down_the_api() {
    let seconds = number("FLOOD", 3);
    let app = Arc::new(scene().set("http.trusted_proxies", "127.0.0.1").start().await);
    let owner = app.owner().await;
    call(Arc::clone(&app), owner.token.clone(), 1).await;
    let alone = call(Arc::clone(&app), owner.token.clone(), seconds).await;
    let began = Instant::now();
    let flooding = tokio::spawn(flood(Arc::clone(&app), seconds));
    let beside = call(Arc::clone(&app), owner.token.clone(), seconds).await;
    let (checked, turned_away) = flooding.await.unwrap();
    assert!(
        began.elapsed() >= Duration::from_secs(seconds) - Duration::from_millis(100),
        "the flood lasted as planned"
    );
    assert!(checked > 0 && turned_away > checked, "{checked} checked, {turned_away} turned away");
    assert!(began.elapsed() < Duration::from_secs(seconds) + DEADLINE, "the queue is short");
    let ratio = bounded_ratio(beside, alone, 1.3);
    figure(
        "L11",
        &format!("{LOG_INS} log-ins a second beside {CALLS} calls of /ruc a second"),
        &format!(
            "p99 of /ruc {:.1} ms, alone {:.1} ms: {ratio:.2} times; {checked} checked, {turned_away} turned away",
            beside.as_secs_f64() * 1e3,
            alone.as_secs_f64() * 1e3
        ),
    );
}

/// How long the queued hashes may take after the flood.
const DEADLINE: Duration = Duration::from_secs(15);
