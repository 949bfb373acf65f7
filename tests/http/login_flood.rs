//! Two hundred sign-ins per second, each from another address and for another account, while clients call the API. A
//! password hash is slow by design and must not slow down the API. `RELIABILITY_FLOOD` sets the seconds of each half.

use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::time::Instant;

use crate::app::scene;
use crate::load::{bounded_ratio, open_loop, p99};
use crate::reliability::{figure, number};

/// Calls of the API per second, and sign-ins per second.
const CALLS: u32 = 200;
const LOG_INS: u32 = 200;
/// The maximum duration of a call during the flood, on a slow machine.
const MAX_TIME: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_sign_ins_does_not_slow_down_the_api() {
    let seconds = number("FLOOD", 1);
    let (app, owner) = scene().set("http.trusted_proxies", "127.0.0.1").start_with_owner().await;
    let lasting = Duration::from_secs(seconds);
    let calls = || open_loop(CALLS, lasting, |_| app.post("/ruc").token(&owner.token).ruc(sample::COMPANY));
    let page = app.request("GET", "/ingresar").send().await;
    let (_, rest) = page.body.split_once("name=\"form_token\" value=\"").unwrap();
    let token = rest.split_once('"').unwrap().0;
    let cookie = page.all("set-cookie")[0].split(';').next().unwrap();
    let log_in = |number: u32| {
        let form = format!("email=u{number}%40example.pe&password=guess+guess+guess&form_token={token}");
        app.post("/ingresar")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Origin", format!("http://{}", app.api))
            .header("Cookie", cookie)
            .header("X-Forwarded-For", format!("198.{}.{}.{}", 18 + number / 65_536, number / 256 % 256, number % 256))
            .body(form)
    };
    calls().await;
    let alone = calls().await;
    let began = Instant::now();
    let (beside, log_ins) = tokio::join!(calls(), open_loop(LOG_INS, lasting, log_in));
    assert!(began.elapsed() < lasting + DEADLINE, "the queue is short");
    for call in alone.iter().chain(&beside) {
        call.answer.found();
        assert!(call.took < MAX_TIME, "{:?}", call.took);
    }
    let count = |status: u16| log_ins.iter().filter(|log_in| log_in.answer.status == status).count();
    let (checked, turned_away) = (count(422), count(503));
    assert_eq!(checked + turned_away, log_ins.len(), "only a wrong password or a full queue");
    assert!(checked > 0 && turned_away > checked, "{checked} checked, {turned_away} turned away");
    let (alone, beside) = (p99(&alone), p99(&beside));
    let ratio = bounded_ratio(beside, alone, 1.3);
    figure(
        "L11",
        &format!("{LOG_INS} log-ins a second beside {CALLS} calls of /ruc a second"),
        &format!(
            "p99 of /ruc {beside:.1?}, alone {alone:.1?}: {ratio:.2} times; {checked} checked, {turned_away} turned away"
        ),
    );
}

/// How long the queued hashes may take after the flood.
const DEADLINE: Duration = Duration::from_secs(15);
