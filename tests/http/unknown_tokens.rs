//! Unknown tokens: refused at once, in any number, and without effect on known tokens from the same address.
//! `RELIABILITY_FLOOD` sets the seconds of a flood of them beside calls with known tokens.

use std::time::Duration;

use kuraka_sandbox::sample;

use crate::app::{App, scene};
use crate::load::{open_loop, p99};
use crate::reliability::{figure, number};
use crate::request::Request;

/// Unknown tokens, and calls of a client with a known token, in a second.
const UNKNOWN: u32 = 400;
const CALLS: u32 = 200;

/// A token that the server did not make.
fn invented() -> String {
    format!("kur_{:036}", getrandom::u64().unwrap())
}

fn call(app: &App, token: &str) -> Request {
    app.post("/ruc").token(token).ruc(sample::COMPANY)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_unknown_tokens_leaves_a_known_token_alone() {
    let seconds = number("FLOOD", 1);
    let (app, owner) = scene().start_with_owner().await;
    let right = app.unknown_token().await;
    let calls = || open_loop(CALLS, Duration::from_secs(seconds), |_| call(&app, &owner.token));
    // Invented tokens, and each second time one with a right checksum.
    let flood = open_loop(UNKNOWN, Duration::from_secs(seconds), |number| match number % 2 {
        0 => call(&app, &invented()),
        _ => call(&app, right.reveal()),
    });
    calls().await;
    let alone = calls().await;
    let (beside, unknown) = tokio::join!(calls(), flood);
    alone.iter().chain(&beside).for_each(|ended| drop(ended.answer.found()));
    unknown.iter().for_each(|ended| drop(ended.answer.refused("unauthenticated")));
    let (alone, beside) = (p99(&alone), p99(&beside));
    let ratio = beside.as_secs_f64() / alone.as_secs_f64();
    figure(
        "S2",
        &format!("{UNKNOWN} unknown tokens a second beside {CALLS} calls of /ruc a second, from one address"),
        &format!("p99 of /ruc {beside:.1?}, alone {alone:.1?}: {ratio:.2} times; {} refused", unknown.len()),
    );
    assert!(beside < Duration::from_secs(2), "{beside:?}");
}
