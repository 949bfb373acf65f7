//! Half load for a long time, while editions are swapped, tokens revoked and sources fail: no wrong answer, and memory,
//! file handles and threads stay level. `RELIABILITY_SOAK=20` sets the duration in minutes.

use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{CLIENT_SECRET, Delivery, Target, Upstream};
use serde_json::Value;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::files::{NEW_COMPANY, next_day};
use super::http::{Answer, Client, lookup, lookup_request, request};
use super::program::{Home, Serving, eventually};
use super::reliability::{detail, figure, number};
use super::sources::{VOUCHER, sandbox, with_sources};

const EMAIL: &str = "ana@example.pe";
const PROVIDER: &str = "apisperu";
/// Clients of `/ruc`.
const CLIENTS: u32 = 4;
/// Calls per second of `/ruc-official` and of `/cpe`.
const SOURCE_RATE: f64 = 20.0;
/// The pause between two disturbances, and between two measurements.
const STEP: Duration = Duration::from_millis(500);
/// A request and the answers that are right.
struct Kind {
    request: String,
    /// The record of a 200, without the processing time.
    record: Option<Value>,
    /// The other right statuses.
    others: &'static [u16],
}

impl Kind {
    fn is_right(&self, answer: &Answer) -> bool {
        if answer.status != 200 {
            return self.others.contains(&answer.status);
        }
        self.record.as_ref().is_none_or(|record| *record == answer.data())
    }
}

/// Calls that were answered.
#[derive(Default)]
struct Load {
    stop: AtomicBool,
    calls: AtomicU64,
    unavailable: AtomicU64,
}

/// Repeats requests at a rate from its own thread, or as fast as possible. Every answer must be right.
fn repeat(api: SocketAddr, kinds: &Arc<Vec<Kind>>, rate: Option<f64>, load: &Arc<Load>) -> JoinHandle<()> {
    let (kinds, load) = (Arc::clone(kinds), Arc::clone(load));
    thread::spawn(move || {
        let mut clients: Vec<Client> =
            kinds.iter().map(|kind| Client::with_request(api, kind.request.clone())).collect();
        let mut due = Instant::now();
        for turn in 0.. {
            if load.stop.load(Ordering::Acquire) {
                return;
            }
            let index = turn % kinds.len();
            let answer = clients[index].answer().unwrap();
            assert!(kinds[index].is_right(&answer), "wrong: {answer:?}");
            load.calls.fetch_add(1, Ordering::AcqRel);
            load.unavailable.fetch_add(u64::from(answer.status == 503), Ordering::AcqRel);
            if let Some(rate) = rate {
                due = (due + Duration::from_secs_f64(1.0 / rate)).max(Instant::now() - STEP);
                thread::park_timeout(due.saturating_duration_since(Instant::now()));
            }
        }
    })
}

/// A straight line through measurements at equal distances: the growth from the first to the last one, and the standard
/// error of that growth.
fn growth(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let (middle, mean) = ((count - 1.0) / 2.0, values.iter().sum::<f64>() / count);
    let at = |index: usize| index as f64 - middle;
    let spread: f64 = (0..values.len()).map(|index| at(index).powi(2)).sum();
    let slope = values.iter().enumerate().map(|(index, value)| at(index) * (value - mean)).sum::<f64>() / spread;
    let rest: f64 = values.iter().enumerate().map(|(index, value)| (value - mean - slope * at(index)).powi(2)).sum();
    let error = (rest / (count - 2.0) / spread).sqrt();
    (slope * (count - 1.0), error * (count - 1.0))
}

#[test]
fn a_growth_is_found_among_noise() {
    let noise = |index: u32| f64::from(index * 7_919 % 101);
    let (grown, error) = growth(&(0..1_000).map(|index| noise(index) + f64::from(index)).collect::<Vec<_>>());
    assert!((grown - 999.0).abs() < 3.0 * error && error < 20.0, "{grown} {error}");
    let (grown, error) = growth(&(0..1_000).map(noise).collect::<Vec<_>>());
    assert!(grown.abs() < 3.0 * error, "{grown} {error}");
}

/// A folder whose server has every kind of source, and keeps their answers only for a moment.
fn home(upstream: &Upstream) -> Home {
    with_sources(Home::new().plan(1_000_000_000, 1_000_000), upstream, &[(PROVIDER, "token")], CLIENT_SECRET)
        .test_times(crate::test_times::BRIEF_CACHE)
}

/// What happens beside the calls, one thing a step.
async fn disturb(step: usize, home: &Home, serving: &Serving, upstream: &Upstream, done: &mut [u64; 3]) {
    match step % 10 {
        0 | 5 => {
            let padron = if step.is_multiple_of(10) { next_day() } else { sample::PADRON.to_vec() };
            let file = home.write("padron_reducido_ruc.txt", padron);
            home.run(&["dataset", "import", "padron", &file, "--force"]).succeeded();
            done[0] += 1;
        }
        2 | 7 => {
            let made = home.run(&["token", "create", "--email", EMAIL, "--name", "short"]).succeeded();
            let token = made.trim_end();
            assert_eq!(lookup(serving.api, token, sample::COMPANY).unwrap().status, 200);
            // The first token has the id 1.
            home.run(&["token", "revoke", "--id", &(done[1] + 2).to_string()]).succeeded();
            let status = || lookup(serving.api, token, sample::COMPANY).unwrap().status;
            eventually("the token is revoked", || (status() == 401).then_some(())).await;
            done[1] += 1;
        }
        3 | 8 => {
            let faults = [Delivery::Hang, Delivery::ResetMidBody, Delivery::NotHttp, Delivery::Late(STEP)];
            let fault = faults[done[2] as usize % faults.len()];
            for target in [Target::Official, Target::provider(PROVIDER), Target::Vouchers] {
                upstream.fault(&target, fault, usize::MAX);
            }
            done[2] += 1;
        }
        4 | 9 => upstream.heal(),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_handles_and_threads_stay_level_under_mixed_load() {
    let minutes = number("SOAK", 0);
    let lasting = if minutes == 0 { Duration::from_secs(6) } else { Duration::from_secs(60 * minutes) };
    let upstream = sandbox().await;
    let home = home(&upstream);
    home.import(sample::PADRON);
    let token = home.token(EMAIL);
    // Nothing reads the log: a stored log would be the largest use of memory here.
    let serving = home.serve_with_log(Stdio::null()).await;

    let record = |request: &str| {
        let answer = Client::with_request(serving.api, request.to_owned()).answer().unwrap();
        assert_eq!(answer.status, 200, "{answer:?}");
        Some(answer.data())
    };
    let found = lookup_request(&token, sample::COMPANY, "");
    let (absent, invalid) =
        (lookup_request(&token, NEW_COMPANY, ""), lookup_request(&token, sample::BAD_CHECK_DIGIT, ""));
    let official = request("/ruc-official", &token, "", &format!("{{\"ruc\":\"{}\"}}", sample::COMPANY));
    let voucher = request("/cpe", &token, "", VOUCHER);
    let of_source = |request: String| Arc::new(vec![Kind { record: record(&request), request, others: &[503] }]);
    let registry = Arc::new(vec![
        Kind { record: record(&found), request: found, others: &[] },
        // The new company is in every second edition.
        Kind { record: None, request: absent, others: &[404] },
        Kind { record: None, request: invalid, others: &[400] },
    ]);

    let alone = Arc::<Load>::default();
    let clients: Vec<_> = (0..CLIENTS).map(|_| repeat(serving.api, &registry, None, &alone)).collect();
    let mut beat = interval(STEP);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for _ in 0..3 {
        beat.tick().await;
    }
    alone.stop.store(true, Ordering::Release);
    clients.into_iter().for_each(|client| client.join().unwrap());
    // Two steps have passed, which is a second.
    let half = alone.calls.load(Ordering::Acquire) as f64 / 2.0;

    let load = Arc::<Load>::default();
    let mut clients: Vec<_> =
        (0..CLIENTS).map(|_| repeat(serving.api, &registry, Some(half / f64::from(CLIENTS)), &load)).collect();
    let sources = Arc::<Load>::default();
    for request in [official, voucher] {
        clients.push(repeat(serving.api, &of_source(request), Some(SOURCE_RATE), &sources));
    }
    let (mut memory, mut handles, mut threads) = (Vec::new(), Vec::new(), Vec::new());
    let (began, mut done) = (Instant::now(), [0; 3]);
    for step in 0.. {
        beat.tick().await;
        // On a busy machine a step may take as long as the whole short form.
        if began.elapsed() >= lasting && done.iter().all(|times| *times > 0) {
            break;
        }
        memory.push(serving.resident_kib() as f64);
        handles.push(serving.handles() as f64);
        threads.push(serving.threads() as f64);
        disturb(step, &home, &serving, &upstream, &mut done).await;
    }
    for load in [&load, &sources] {
        load.stop.store(true, Ordering::Release);
    }
    clients.into_iter().for_each(|client| client.join().unwrap());
    serving.stop();

    let calls = load.calls.load(Ordering::Acquire);
    assert!(calls as f64 > half * lasting.as_secs_f64() / 4.0, "{calls} calls at {half} per second");
    // The first third warms up: caches, allocator, threads.
    let [memory, handles, threads] = [memory, handles, threads].map(|values| values[values.len() / 3..].to_vec());
    let ((grown, error), (opened, opened_error)) = (growth(&memory), growth(&handles));
    let most = |values: &[f64]| values.iter().copied().fold(f64::MIN, f64::max);
    let least = |values: &[f64]| values.iter().copied().fold(f64::MAX, f64::min);
    for (name, values) in [("memory", &memory), ("handles", &handles), ("threads", &threads)] {
        let means = values.chunks(values.len().div_ceil(12)).map(|part| part.iter().sum::<f64>() / part.len() as f64);
        detail(&format!("{name}: {:.1?}", means.collect::<Vec<_>>()));
    }
    // A short run measures the end of the warm-up too.
    let allowed = if minutes == 0 { 8_192.0 } else { 2_048.0 };
    assert!(grown <= allowed + 3.0 * error, "memory grows by {grown:.0} KiB ± {error:.0}");
    assert!(opened <= 2.0 + 3.0 * opened_error, "open handles grow by {opened:.1} ± {opened_error:.1}");
    assert!(most(&threads) - least(&threads) <= 4.0, "the number of threads changes: {threads:?}");
    let [editions, tokens, faults] = done;
    let sourced = sources.calls.load(Ordering::Acquire);
    figure(
        "G",
        &format!(
            "{lasting:?} at half load ({half:.0}/s), {editions} editions, {tokens} tokens revoked, {faults} faults"
        ),
        &format!(
            "{calls} calls of `/ruc`, {sourced} of the sources ({} unavailable), 0 wrong; memory {:.0} to {:.0} KiB, \
             growth {grown:.0} ± {error:.0}; handles {:.0} to {:.0}, growth {opened:.1} ± {opened_error:.1}; \
             threads {:.0} to {:.0}",
            sources.unavailable.load(Ordering::Acquire),
            least(&memory),
            most(&memory),
            least(&handles),
            most(&handles),
            least(&threads),
            most(&threads),
        ),
    );
}
