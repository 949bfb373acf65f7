//! A flood of pages with invented sessions affects calls and readiness no more than the same flood without cookies, on both
//! stores. `RELIABILITY_SESSIONS` sets the seconds of each flood, which then has its full size.

use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval_at};

use crate::app::{App, Owner, Scene, scene};
use crate::load::{bounded_ratio, open_loop, p99};
use crate::postgres::database;
use crate::reliability::{figure, number, setting};
use crate::wire::Wire;

/// Calls of small plans, and readiness checks, in a second.
const CALLS: u32 = 50;
const CHECKS: u32 = 10;
/// Queries of a small plan, each of which is a lease.
const PLAN: u64 = 1_000;

/// The connections of a flood, its pages in a second, and its time.
struct Size {
    connections: u32,
    pages: u32,
    lasting: Duration,
}

/// A cookie with the form of a session's, which no server made.
fn invented() -> String {
    let digits: String = (0..5).map(|_| format!("{:016x}", getrandom::u64().unwrap())).collect();
    format!("kuraka={digits}")
}

/// Asks for pages of the panel, evenly spread over time and connections. Every one of them redirects to the log-in.
async fn flood(app: &App, wires: Vec<Wire>, size: &Size, has_cookies: bool) {
    let every = Duration::from_secs(1) * size.connections / size.pages;
    let rounds = size.lasting.as_millis() / every.as_millis();
    let (began, mut clients) = (Instant::now(), JoinSet::new());
    for (number, mut wire) in (0_u32..).zip(wires) {
        let page = app.request("GET", "/panel/tokens");
        let mut beat = interval_at(began + every * number / size.connections, every);
        clients.spawn(async move {
            for _ in 0..rounds {
                let page = if has_cookies { page.clone().header("Cookie", invented()) } else { page.clone() };
                beat.tick().await;
                assert_eq!(wire.ask(&page).await.status, 303);
            }
        });
    }
    clients.join_all().await;
}

/// The 99th percentiles of calls and of readiness checks beside a flood. All of them succeed.
async fn beside(app: &App, owners: &[Owner], size: &Size, has_cookies: bool) -> [Duration; 2] {
    let mut wires = Vec::new();
    for _ in 0..size.connections {
        wires.push(app.connect().await);
    }
    let call = |number| {
        let owner = &owners[number as usize % owners.len()];
        app.post("/ruc").token(&owner.token).ruc(sample::COMPANY)
    };
    let (calls, checks, ()) = tokio::join!(
        open_loop(CALLS, size.lasting, call),
        open_loop(CHECKS, size.lasting, |_| app.admin("/readyz")),
        flood(app, wires, size, has_cookies),
    );
    for ended in calls.iter().chain(&checks) {
        assert_eq!(ended.answer.status, 200, "with cookies: {has_cookies}: {:?}", ended.answer);
    }
    [p99(&calls), p99(&checks)]
}

async fn invented_sessions_cost_no_more_than_none(scene: Scene, store: &str) {
    let (seconds, is_long) = (number("SESSIONS", 1), setting("SESSIONS").is_some());
    let (connections, pages) = if is_long { (1_000, 2_000) } else { (100, 200) };
    let size = Size { connections, pages, lasting: Duration::from_secs(seconds) };
    let app = scene.plan(PLAN, 1_000_000, 1_000_000).set("http.max_connections_per_address", "10000").start().await;
    let mut owners = Vec::new();
    for _ in 0..=2 * u64::from(CALLS) * seconds / PLAN {
        owners.push(app.owner().await);
    }
    let without = beside(&app, &owners, &size, false).await;
    let with = beside(&app, &owners, &size, true).await;
    for (what, with, without) in [("/ruc", with[0], without[0]), ("/readyz", with[1], without[1])] {
        let ratio = bounded_ratio(with, without, 1.5);
        figure(
            "S20",
            &format!("{pages} pages a second on {connections} connections for {seconds} s, {store}: p99 of {what}"),
            &format!(
                "{:.1} ms with invented sessions, {:.1} ms without cookies: {ratio:.2} times; 0 failures",
                with.as_secs_f64() * 1e3,
                without.as_secs_f64() * 1e3
            ),
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invented_sessions_do_not_affect_calls_on_sqlite() {
    invented_sessions_cost_no_more_than_none(scene(), "SQLite").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invented_sessions_do_not_affect_calls_on_postgresql() {
    let address = database().await;
    invented_sessions_cost_no_more_than_none(scene().set("store.url", &address), "PostgreSQL").await;
}
