//! Every source accepts requests and never answers, while clients make a hundred calls a second. The calls soon fail
//! fast, no memory or latency builds up, `/ruc` is not affected, and the server recovers without a restart.
//! `RELIABILITY_BLACK_HOLE=600` sets the duration in seconds.

use std::time::Duration;

use kuraka_domain::{Ruc, RucKind};
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{Delivery, Target, Upstream};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, timeout};

use crate::app::{App, Owner, scene};
use crate::load::{bounded_ratio, slack};
use crate::reliability::{figure, number};
use crate::sandbox::{PROVIDER, sandbox};

/// Calls per second of each kind.
const RATE: u32 = 100;
/// How long an answer may take without a request to a source, beyond the [`slack`].
const AT_ONCE: Duration = Duration::from_millis(50);
/// How long the recovery may take after the breaker's last wait: one probe.
const PROBE: Duration = Duration::from_secs(6);

/// Bytes by which memory may grow for each call while the breakers are open.
const GROWN_PER_CALL: u64 = 128;
/// KiB by which the allocator's own memory may differ between two measurements.
const ALLOCATOR: u64 = 1024;

/// The longest time after which a call whose requests hang is answered.
const DEADLINE: Duration = Duration::from_secs(11);
/// From this duration on, the run has process and machine to itself: its memory is measured and its ratios count.
const LONG: Duration = Duration::from_secs(60);

struct Times {
    lasting: Duration,
    /// A request to a provider.
    hangs: Duration,
    /// By then both breakers are open.
    opening: Duration,
    first_open: Duration,
}

impl Times {
    fn of_this_run() -> Self {
        let lasting = Duration::from_secs(number("BLACK_HOLE", 5));
        let [hangs, opening, first_open] =
            if lasting >= LONG { [3, 5, 15] } else { [1, 3, 4] }.map(Duration::from_secs);
        Self { lasting, hangs, opening, first_open }
    }
}

const OFFICIAL: Expected = ("/ruc-official", "upstream_unavailable", "service_unavailable");

/// The start and the duration of each call.
type Calls = Vec<(Duration, Duration)>;

/// A path, the code that every call to it must get, and one that it may get while the breakers are closed.
type Expected = (&'static str, &'static str, &'static str);

/// Makes calls at a fixed rate, without waiting for earlier answers.
async fn call(
    app: &App,
    owner: &Owner,
    (path, expected, at_first): Expected,
    rucs: impl Iterator<Item = String>,
    last: Duration,
) -> Calls {
    let mut beat = interval(Duration::from_secs(1) / RATE);
    let begun = Instant::now();
    let (mut under_way, mut ended, opening) = (JoinSet::new(), Calls::new(), Times::of_this_run().opening);
    for ruc in rucs {
        beat.tick().await;
        let at = begun.elapsed();
        if at >= last {
            break;
        }
        let request = app.post(path).token(&owner.token).ruc(&ruc);
        under_way.spawn(async move {
            let asked = Instant::now();
            let code = request.send().await.code();
            assert!(code == expected || code == at_first && at < opening + slack() / 2, "{code} after {at:?}");
            (at, asked.elapsed())
        });
        // Finished calls are dropped, because this test measures memory.
        while let Some(call) = under_way.try_join_next() {
            ended.push(call.unwrap());
        }
    }
    ended.extend(under_way.join_all().await);
    ended
}

/// Distinct RUCs, so that no two calls share a request.
fn strangers(from: u32) -> impl Iterator<Item = String> {
    (from..).map(|number| Ruc::from_parts(RucKind::LegalPerson, number).unwrap().to_string())
}

fn everywhere(upstream: &Upstream) {
    for target in [Target::Official, Target::provider(PROVIDER)] {
        upstream.fault(&target, Delivery::Hang, usize::MAX);
    }
}

/// The duration that all but this many thousandths of the calls stay below.
fn percentile(calls: &Calls, thousandths: usize) -> Duration {
    let mut took: Vec<Duration> = calls.iter().map(|(_, took)| *took).collect();
    took.sort_unstable();
    took[(took.len() - 1) * thousandths / 1_000]
}

/// The memory of this process in KiB: server, sandbox and clients together.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn silent_sources_cost_no_time_or_memory_and_calls_recover() {
    let Times { lasting, hangs, opening, first_open } = Times::of_this_run();
    let upstream = sandbox().await;
    let scene = scene().official(&upstream).provider(&upstream, PROVIDER).changed(move |settings| {
        if lasting < LONG {
            (settings.times.page, settings.times.provider, settings.times.breaker_open) =
                (hangs * 2, hangs, first_open);
        }
    });
    let (app, owner) = scene.start_with_owner().await;
    let companies = || std::iter::repeat(sample::COMPANY.to_owned());
    let is_long = lasting >= LONG;
    let apart = if is_long { lasting / 4 } else { Duration::from_secs(1) };
    let alone = call(&app, &owner, ("/ruc", "found", "found"), companies(), apart).await;

    everywhere(&upstream);
    let (mut connections, mut memory) = (Vec::new(), Vec::new());
    let mut beat = interval(Duration::from_millis(250));
    let (mut black, mut beside) = {
        let watch = async {
            loop {
                beat.tick().await;
                connections.push(upstream.connections());
                memory.push(resident());
            }
        };
        let both = async {
            tokio::join!(
                // At first, requests hang at the sources, and calls beyond the places are refused.
                call(&app, &owner, OFFICIAL, strangers(50_000_000), lasting),
                call(&app, &owner, ("/ruc", "found", "found"), companies(), lasting)
            )
        };
        tokio::select! {
            never = watch => never,
            both = both => both,
        }
    };
    let longest = black.iter().map(|(_, took)| *took).max().unwrap();
    // A request hangs until its source's timeout, and all requests of a call until its deadline.
    assert!((hangs..DEADLINE).contains(&longest), "{longest:?}");

    upstream.heal();
    let healed = Instant::now();
    let first = timeout(longest_open(lasting, first_open) + PROBE, async {
        let mut beat = interval(Duration::from_millis(100));
        loop {
            beat.tick().await;
            let answer = app.post("/ruc-official").token(&owner.token).ruc(sample::COMPANY).send().await;
            if answer.status == 200 {
                break healed.elapsed();
            }
        }
    });
    let first = first.await.expect("the first success within the open time and one probe");

    black.retain(|(at, _)| *at >= opening);
    beside.retain(|(at, _)| *at >= opening);
    let median = percentile(&black, 500);
    assert!(median <= AT_ONCE + slack(), "{median:?}");
    // A long run has a few probes, which wait for their answers.
    let late = black.iter().filter(|(_, took)| *took > AT_ONCE * 5 + slack()).count();
    assert!(late * 50 <= black.len(), "{late} of {}", black.len());
    // The permits of each source bound the requests.
    let most = *connections.iter().max().unwrap();
    // A dropped request's connection is closed a moment later, beside the one of the next request.
    assert!(most <= 10 + 32 + 4, "{most} connections");
    assert!(connections.last().is_some_and(|last| *last <= 2), "{connections:?}");
    let opened = memory[memory.len() * opening.as_millis() as usize / lasting.as_millis() as usize];
    let stays = memory.iter().rev().take(8).min().unwrap();
    let grown = stays.saturating_sub(opened);
    let calls = (black.len() + beside.len()) as u64;
    // In a short run, this process has other tests too, which use memory of their own.
    assert!(!is_long || grown <= calls * GROWN_PER_CALL / 1024 + ALLOCATOR, "{grown} KiB in {calls} calls");
    let (p99_alone, p99_beside) = (percentile(&alone, 990), percentile(&beside, 990));

    figure(
        "U28",
        &format!("every source swallows questions, 100/s for {lasting:?}"),
        &format!(
            "after opening: median {median:.1?}, p99 {:.1?}, {late} of {} over {:?}; longest of all {longest:.1?}; \
             at most {most} connections, {} at the end; {grown} KiB more than at opening, {} bytes a call",
            percentile(&black, 990),
            black.len(),
            AT_ONCE * 5,
            connections.last().unwrap(),
            grown * 1024 / calls,
        ),
    );
    let ratio = bounded_ratio(p99_beside, p99_alone, 1.2);
    figure("L4", "`/ruc` beside it", &format!("p99 {p99_beside:.1?}, alone {p99_alone:.1?}, ratio {ratio:.2}"));
    figure("U31", "the sources heal", &format!("first success after {first:.1?}, no restart"));
}

/// How long a breaker may stay open after this outage: each wait is longer than the sum of those before it by the
/// first, and at most 300 s.
fn longest_open(outage: Duration, first: Duration) -> Duration {
    (outage + first).min(Duration::from_secs(300))
}
