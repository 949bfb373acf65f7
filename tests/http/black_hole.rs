//! Every source takes questions and never answers, at a hundred calls a second: callers soon hear so at once, nothing
//! piles up, `/ruc` does not notice, and all is well again by itself. `RELIABILITY_BLACK_HOLE=600` makes it last.

use std::time::Duration;

use kuraka_domain::{Ruc, RucKind};
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{Delivery, Target, Upstream};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, timeout};

use crate::app::{App, Owner, scene};
use crate::reliability::{figure, number};
use crate::stand_in::{PROVIDER, stand_in};

/// Calls a second, of each kind.
const RATE: u32 = 100;
/// By then both sources have failed often enough: a page is given up after 3 s, and so is a provider.
const OPENING: Duration = Duration::from_secs(5);
/// What an answer may take when nobody is asked, with the whole suite on the same processors.
const AT_ONCE: Duration = Duration::from_millis(50);
/// How much longer than the breaker's last wait the healing may take: one probe.
const PROBE: Duration = Duration::from_secs(6);

/// KiB by which memory may grow once nobody is asked, with the tests that run beside this one in the same process. A
/// long run is alone, and would show a leak of 3 KiB a call.
const GROWN_AT_MOST: u64 = 32 * 1024;

/// When each call began and how long it took.
type Calls = Vec<(Duration, Duration)>;

/// A path, and the code that every call to it must end with.
type Expected = (&'static str, &'static str);

/// Calls at their rate, whether or not those before have been answered.
async fn call(
    app: &App,
    owner: &Owner,
    (path, expected): Expected,
    rucs: impl Iterator<Item = String>,
    last: Duration,
) -> Calls {
    let mut beat = interval(Duration::from_secs(1) / RATE);
    let begun = Instant::now();
    let (mut under_way, mut ended) = (JoinSet::new(), Calls::new());
    for ruc in rucs {
        beat.tick().await;
        let at = begun.elapsed();
        if at >= last {
            break;
        }
        let request = app.post(path).token(&owner.token).ruc(&ruc);
        under_way.spawn(async move {
            let asked = Instant::now();
            assert_eq!(request.send().await.code(), expected);
            (at, asked.elapsed())
        });
        // Not kept until the end: memory is measured here.
        while let Some(call) = under_way.try_join_next() {
            ended.push(call.unwrap());
        }
    }
    ended.extend(under_way.join_all().await);
    ended
}

/// RUCs of which no two are the same, so that no call shares another's question.
fn strangers(from: u32) -> impl Iterator<Item = String> {
    (from..).map(|number| Ruc::from_parts(RucKind::LegalPerson, number).unwrap().to_string())
}

fn everywhere(upstream: &Upstream) {
    for target in [Target::Official, Target::provider(PROVIDER)] {
        upstream.fault(&target, Delivery::Hang, usize::MAX);
    }
}

/// The part of a thousand that took the longest, and the longest but for that.
fn percentile(calls: &Calls, thousandths: usize) -> Duration {
    let mut took: Vec<Duration> = calls.iter().map(|(_, took)| *took).collect();
    took.sort_unstable();
    took[(took.len() - 1) * thousandths / 1_000]
}

/// This process's memory in KiB, the server's, the stand-in's and the callers'.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sources_that_swallow_every_question_cost_neither_time_nor_memory_and_heal_by_themselves() {
    let lasting = Duration::from_secs(number("BLACK_HOLE", 10));
    let upstream = stand_in().await;
    let app = scene().official(&upstream).provider(&upstream, PROVIDER).start().await;
    let owner = app.owner().await;
    let companies = || std::iter::repeat(sample::COMPANY.to_owned());
    let alone = call(&app, &owner, ("/ruc", "found"), companies(), Duration::from_secs(3)).await;

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
                call(&app, &owner, ("/ruc-official", "upstream_unavailable"), strangers(50_000_000), lasting),
                call(&app, &owner, ("/ruc", "found"), companies(), lasting)
            )
        };
        tokio::select! {
            never = watch => never,
            both = both => both,
        }
    };
    let longest = black.iter().map(|(_, took)| *took).max().unwrap();

    upstream.heal();
    let healed = Instant::now();
    let first = timeout(longest_open(lasting) + PROBE, async {
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

    black.retain(|(at, _)| *at >= OPENING);
    beside.retain(|(at, _)| *at >= OPENING);
    let median = percentile(&black, 500);
    assert!(median <= AT_ONCE, "{median:?}");
    // The probes of a long run wait for their answers: there are few.
    let late = black.iter().filter(|(_, took)| *took > AT_ONCE * 5).count();
    assert!(late * 50 <= black.len(), "{late} of {}", black.len());
    // Each source's places are its bound.
    let most = *connections.iter().max().unwrap();
    assert!(most <= 10 + 32, "{most} connections");
    assert!(connections.last().is_some_and(|last| *last <= 2), "{connections:?}");
    let opened = memory[memory.len() * OPENING.as_millis() as usize / lasting.as_millis() as usize];
    // Tests beside this one hash passwords, which takes 46 MiB for a moment: what stays is the least of two seconds.
    let stays = memory.iter().rev().take(8).min().unwrap();
    let grown = stays.saturating_sub(opened);
    assert!(grown <= GROWN_AT_MOST, "{grown} KiB");
    let (p99_alone, p99_beside) = (percentile(&alone, 990), percentile(&beside, 990));

    figure(
        "U28",
        &format!("every source swallows questions, 100/s for {lasting:?}"),
        &format!(
            "after opening: median {median:.1?}, p99 {:.1?}, {late} of {} over {:?}; longest of all {longest:.1?}; \
             at most {most} connections, {} at the end; {grown} KiB more than at opening",
            percentile(&black, 990),
            black.len(),
            AT_ONCE * 5,
            connections.last().unwrap(),
        ),
    );
    let ratio = p99_beside.as_secs_f64() / p99_alone.as_secs_f64();
    figure("L4", "`/ruc` beside it", &format!("p99 {p99_beside:.1?}, alone {p99_alone:.1?}, ratio {ratio:.2}"));
    figure("U31", "the sources heal", &format!("first success after {first:.1?}, no restart"));
}

/// How long a breaker that has seen this outage may still be open: each wait is 15 s longer than all before it, and
/// none is longer than 300 s.
fn longest_open(outage: Duration) -> Duration {
    (outage + Duration::from_secs(15)).min(Duration::from_secs(300))
}
