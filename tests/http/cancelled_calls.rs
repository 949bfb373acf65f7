//! Clients that disconnect: a call with a complete request is charged at most once, one with an incomplete request never.

use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::io::AsyncWriteExt;
use tokio::time::Instant;

use crate::app::{App, scene};
use crate::postgres::database;
use crate::reliability::figure;

/// How a client disconnects.
#[derive(Clone, Copy)]
enum Leaves {
    /// Closes its sending side and still reads.
    Fin,
    /// Drops the connection.
    Reset,
}

/// Pseudo-random numbers that are the same in each run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_incomplete_request_is_never_charged() {
    let (app, owner) = scene().plan(1_000, 1_000_000, 1_000_000).start_with_owner().await;
    let request = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).bytes();
    let mut numbers = Numbers(7);
    for round in 0..40 {
        let mut wire = app.connect().await;
        wire.send(&request[..numbers.below(request.len())]).await;
        if round % 2 == 0 {
            wire.stream.set_zero_linger().unwrap();
        } else {
            wire.stream.shutdown().await.unwrap();
            // Half a request never gets a record.
            if let Some(answer) = wire.answer().await {
                assert!(answer.status >= 400, "{answer:?}");
            }
        }
    }
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    assert_eq!(app.used(&owner).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_half_closed_connection_gets_a_charged_answer() {
    let (app, owner) = scene().plan(1_000, 1_000_000, 1_000_000).start_with_owner().await;
    let request = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).bytes();
    for _ in 0..10 {
        let mut wire = app.connect().await;
        wire.send(&request).await;
        wire.stream.shutdown().await.unwrap();
        wire.answer().await.unwrap().found();
    }
    assert_eq!(app.used(&owner).await, 10);
}

/// Calls whose clients stay.
const STAYING: u64 = 20;

/// The median time from a request to its answer.
async fn usual_time(app: &App, request: &[u8]) -> Duration {
    let mut times = Vec::new();
    for _ in 0..STAYING {
        let mut wire = app.connect().await;
        let began = Instant::now();
        wire.send(request).await;
        wire.answer().await.unwrap().found();
        times.push(began.elapsed());
    }
    times.sort();
    times[times.len() / 2]
}

/// Lets this time pass. The runtime's timers would round it up to a millisecond, when most calls are answered.
async fn pass(time: Duration) {
    let began = Instant::now();
    while began.elapsed() < time {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_abandoned_call_is_charged_at_most_once() {
    const CALLS: u64 = 80;
    // With a small plan the ledger charges each call; with a large one the server spends a lease and returns the rest.
    for (plan, shared) in [(1_000, false), (1_000_000, false), (1_000, true), (1_000_000, true)] {
        let scene = scene().plan(plan, 1_000_000, 1_000_000);
        let scene = if shared { scene.set("store.url", &database().await) } else { scene };
        let mut app = scene.start().await;
        let owner = app.owner().await;
        let request = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).bytes();
        let mut numbers = Numbers(plan);
        let usual = usual_time(&app, &request).await;
        let mut answered = 0;
        for _ in 0..CALLS {
            let leaves = if numbers.below(2) == 0 { Leaves::Fin } else { Leaves::Reset };
            let patience = usual * numbers.below(2_000) as u32 / 1_000;
            let mut wire = app.connect().await;
            wire.send(&request).await;
            let answer = tokio::select! {
                biased;
                () = pass(patience) => None,
                answer = wire.answer() => answer,
            };
            answered += u64::from(answer.is_some_and(|answer| answer.status == 200));
            match leaves {
                Leaves::Fin => wire.stream.shutdown().await.unwrap_or_default(),
                Leaves::Reset => wire.stream.set_zero_linger().unwrap_or_default(),
            }
        }
        assert!((1..=CALLS * 9 / 10).contains(&answered), "{answered} answered: some clients stay and some leave");
        // The server still works, and its ledger agrees with the answers that the clients got.
        app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
        answered += 1 + STAYING;
        app.stop().await;
        let (used, all) = (app.used(&owner).await, CALLS + 1 + STAYING);
        assert!((answered..=all).contains(&used), "{answered} answered, {used} used, {all} asked");
        let store = if shared { "PostgreSQL" } else { "SQLite" };
        let tried = format!("connections dropped at {CALLS} instants, a plan of {plan} on {store}");
        figure("Q6", &tried, &format!("{answered} answered <= {used} used <= {all} asked"));
    }
}
