//! One account makes and revokes tokens while others call with tokens that the server knows: nothing of theirs is read
//! again. `RELIABILITY_REVOCATIONS` sets the seconds with revocations, and as many without; `RELIABILITY_KNOWN_TOKENS`
//! sets how many tokens are known.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::task::JoinSet;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval};

use crate::app::{App, Owner, eventually, now, scene};
use crate::reliability::{figure, number};
use crate::wire::Wire;

/// Calls a second, by so many clients.
const CALLS: u64 = 200;
const CLIENTS: u64 = 8;
/// Tokens made and revoked a second.
const REVOCATIONS: u64 = 10;
/// Tokens of one account.
const TOKENS: u64 = 50;

fn every(period: Duration) -> Interval {
    let mut beat = interval(period);
    beat.set_missed_tick_behavior(MissedTickBehavior::Burst);
    beat
}

/// Tokens of many accounts, put into the store as they are.
async fn tokens(app: &App, count: u64) -> Vec<String> {
    let mut shell = app.shell().await;
    sqlx::raw_sql("BEGIN").execute(&mut shell).await.unwrap();
    let mut tokens = Vec::new();
    for number in 0..count {
        let token = app.unknown_token().await;
        let account = 1_000 + number / TOKENS;
        if number % TOKENS == 0 {
            let query = sqlx::query("INSERT INTO account (id, email, plan, created) VALUES ($1, $2, 'free', 0)");
            query.bind(account as i64).bind(format!("{account}@kuraka.example")).execute(&mut shell).await.unwrap();
        }
        let query =
            sqlx::query("INSERT INTO token (account, name, digest, prefix, created) VALUES ($1, 'known', $2, $3, 0)");
        let query = query.bind(account as i64).bind(token.digest().0.to_vec()).bind(token.prefix().to_owned());
        query.execute(&mut shell).await.unwrap();
        tokens.push(token.reveal().to_owned());
    }
    sqlx::raw_sql("COMMIT").execute(&mut shell).await.unwrap();
    tokens
}

/// One call of a client: whether its token was known, and how long it took from when it was due.
struct Call {
    beside_revocations: bool,
    is_known: bool,
    took: Duration,
}

/// Calls with each of the client's tokens in turn, for so long.
async fn client(app: Arc<App>, tokens: Vec<String>, seconds: u64, revoking: Arc<AtomicBool>) -> Vec<Call> {
    let requests = tokens.iter().map(|token| app.post("/ruc").token(token).ruc(sample::COMPANY));
    let requests: Vec<_> = requests.collect();
    let mut wire = Wire::open(app.api).await;
    let mut beat = every(Duration::from_micros(1_000_000 * CLIENTS / CALLS));
    let mut calls = Vec::new();
    for request in requests.iter().cycle().take((seconds * CALLS / CLIENTS) as usize) {
        let due = beat.tick().await;
        let beside_revocations = revoking.load(Ordering::Relaxed);
        let status = wire.ask(request).await.status;
        assert!(matches!(status, 200 | 401), "{status}");
        calls.push(Call { beside_revocations, is_known: status == 200, took: due.elapsed() });
    }
    calls
}

/// Makes tokens, calls once with each and revokes it, while `revoking` is set.
async fn revoke(app: Arc<App>, owner: Owner, revoking: Arc<AtomicBool>) -> u64 {
    let mut beat = every(Duration::from_micros(1_000_000 / REVOCATIONS));
    let mut revoked = 0;
    loop {
        beat.tick().await;
        if revoking.load(Ordering::Relaxed) {
            let (token, id) = app.token_of(owner.account).await;
            app.post("/ruc").token(&token).ruc(sample::COMPANY).send().await.found();
            assert!(app.store.revoke(None, id, now()).await.unwrap());
            revoked += 1;
        } else if Arc::strong_count(&revoking) == 1 {
            return revoked;
        }
    }
}

fn p99(calls: &[Call], beside_revocations: bool) -> f64 {
    let some = calls.iter().filter(|call| call.beside_revocations == beside_revocations);
    let mut times: Vec<_> = some.map(|call| call.took.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    times[times.len() * 99 / 100]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn revocations_of_one_account_leave_known_tokens_known() {
    let (seconds, count) = (number("REVOCATIONS", 2), number("KNOWN_TOKENS", 400));
    let app = Arc::new(scene().start().await);
    let tokens = tokens(&app, count).await;
    let mut wire = app.connect().await;
    for token in &tokens {
        wire.ask(&app.post("/ruc").token(token).ruc(sample::COMPANY)).await.found();
    }
    // From now on the store knows none of them: a call whose token is read again is refused.
    app.sql("DELETE FROM token WHERE name = 'known'").await;

    let revoking = Arc::new(AtomicBool::new(false));
    let revoker = tokio::spawn(revoke(Arc::clone(&app), app.owner().await, Arc::clone(&revoking)));
    let mut clients = JoinSet::new();
    for own in tokens.chunks(tokens.len().div_ceil(CLIENTS as usize)) {
        clients.spawn(client(Arc::clone(&app), own.to_vec(), 2 * seconds, Arc::clone(&revoking)));
    }
    // With and without revocations in turn, so that what else the machine does is in both.
    let slice = seconds.min(5);
    let mut turns = every(Duration::from_secs(slice));
    for _ in 0..2 * seconds / slice {
        turns.tick().await;
        revoking.fetch_not(Ordering::Relaxed);
    }
    let calls: Vec<Call> = clients.join_all().await.into_iter().flatten().collect();
    revoking.store(false, Ordering::Relaxed);
    drop(revoking);
    let revoked = revoker.await.unwrap();
    assert!(revoked >= REVOCATIONS * seconds / 2, "{revoked} revoked");

    let reads = calls.iter().filter(|call| !call.is_known).count();
    let (alone, beside) = (p99(&calls, false), p99(&calls, true));
    figure(
        "Q9",
        &format!("{count} known tokens under calls, {revoked} tokens of another account revoked in {seconds} s"),
        &format!(
            "{reads} store reads in {} calls; p99 {beside:.1} ms, without revocations {alone:.1} ms: {:.2} times",
            calls.len(),
            beside / alone
        ),
    );
    assert!(reads * 1_000 <= calls.len(), "{reads} store reads in {} calls", calls.len());
    // A read would have shown: a change that names nothing makes the server read them all.
    app.sql("UPDATE revision SET value = value + 1").await;
    let began = Instant::now();
    eventually("the tokens are read again", async || {
        let answer = app.post("/ruc").token(&tokens[0]).ruc(sample::COMPANY).send().await;
        (answer.status == 401).then_some(())
    })
    .await;
    assert!(began.elapsed() < Duration::from_secs(5));
}
