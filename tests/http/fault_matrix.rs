//! Every fault of the sandbox, at the page, at a provider and at both: the answer, its source, and how long it takes. But
//! for the page, `make test` tries only the faults of delivery; `make reliability` tries all.
//!
//! A 200 always has the record of a healthy source, and an existing taxpayer never gets a 404. Each row has its own
//! server and sandbox, so that no breaker knows about another row. `RELIABILITY_PROVIDERS=all` tries every preset.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::sources::provider_api::PRESETS;
use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::{Delivery, Fault, FaultCase, Target};
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::app::{App, Scene, eventually, scene};
use crate::load::slack;
use crate::reliability::{detail, figure, setting};
use crate::sandbox::{PROVIDER, sandbox};

/// An invented company with every detail. It is in the sample, so it exists whatever a source answers.
const RUC: &str = sample::ON_BOTH_LISTS;
/// The maximum duration of a call, and the tolerance of the measurement without the slack.
const MAX_TIME: Duration = Duration::from_millis(10_000 + 250);
/// How many servers start at the same time, not counting those that wait for an answer.
pub(crate) const STARTING: usize = 4;
/// Faults after which the page can still be read.
const HARMLESS_TO_PAGES: [&str; 6] =
    ["late", "sliced", "windows-1252-declared", "utf-8-declared", "utf-8-undeclared", "utf-8-as-latin-1"];
/// Faults after which JSON can still be read, whatever the record is.
const HARMLESS_TO_JSON: [&str; 5] = ["late", "sliced", "utf-8-declared", "utf-8-undeclared", "utf-8-as-latin-1"];

/// The source that has the fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FaultTarget {
    /// The page. The provider is healthy.
    Page,
    /// A provider that is the only source.
    Provider,
    /// The page and the provider.
    Both,
}

impl FaultTarget {
    const ALL: [Self; 3] = [Self::Page, Self::Provider, Self::Both];
}

/// The records of healthy sources.
struct Truth {
    page: Value,
    provider: Value,
}

/// The result of one call.
struct Row {
    fault_target: FaultTarget,
    outcome: &'static FaultCase,
    /// The code, and the source of the answer.
    answer: String,
    /// The result of the request to each source, from the metrics.
    classes: BTreeMap<String, String>,
    took: Duration,
    /// Whether the record is that of neither source.
    is_wrong: bool,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let classes: Vec<String> = self.classes.iter().map(|(source, class)| format!("{source} {class}")).collect();
        let (fault_target, took) = (format!("{:?}", self.fault_target), self.took.as_millis());
        let (name, answer, classes) = (self.outcome.name, &self.answer, classes.join(", "));
        write!(f, "{fault_target:8} | {name:21} | {answer:30} | {classes:41} | {took:5} ms")
    }
}

fn scene_with_fault(fault_target: FaultTarget, upstream: &kuraka_sandbox::upstream::Upstream, provider: &str) -> Scene {
    match fault_target {
        FaultTarget::Page | FaultTarget::Both => scene().official(upstream).provider(upstream, provider),
        FaultTarget::Provider => scene().provider(upstream, provider),
    }
}

/// The results of the requests to each source.
async fn classes(app: &App) -> BTreeMap<String, String> {
    let metrics = app.admin("/metrics").send().await.body;
    let call = |line: &str| {
        let rest = line.strip_prefix("kuraka_source_calls_total{source=\"")?.strip_suffix("\"} 1")?.to_owned();
        let (source, outcome) = rest.split_once("\",outcome=\"")?;
        (source != "sources").then(|| (source.to_owned(), outcome.to_owned()))
    };
    metrics.lines().filter_map(call).collect()
}

/// Asks again if the store of a server that has just started is too slow: no source was asked then.
async fn ask(app: &App) -> crate::answer::Answer {
    let owner = app.owner().await;
    let ask = async || app.post("/ruc-official").token(&owner.token).ruc(RUC).send().await;
    eventually("the store answers", async || Some(ask().await).filter(|answer| answer.code() != "service_unavailable"))
        .await
}

async fn row(fault_target: FaultTarget, outcome: &'static FaultCase, of: Arc<Matrix>) -> Row {
    let starting = of.starting.acquire().await.unwrap();
    let upstream = sandbox().await;
    let (page, provider) = (Target::Official, Target::provider(of.provider));
    let suffering: &[Target] = match fault_target {
        FaultTarget::Page => &[page],
        FaultTarget::Provider => &[provider],
        FaultTarget::Both => &[page, provider],
    };
    suffering.iter().for_each(|target| upstream.fault(target, outcome.fault, usize::MAX));
    let mut app = scene_with_fault(fault_target, &upstream, of.provider).with_editions_of(&of.app).start().await;
    drop(starting);
    let begun = Instant::now();
    let answer = ask(&app).await;
    let took = begun.elapsed();
    let (answer, is_wrong) = match answer.code().as_str() {
        "found" => {
            let (record, source) = (answer.found(), answer.must("x-source"));
            let truth = if source == "official" { &of.truth.page } else { &of.truth.provider };
            (format!("found, {source}"), record != *truth)
        }
        "upstream_unavailable" => {
            answer.refused("upstream_unavailable");
            // The bound holds whatever a source asks for. Some ask for hours, one for the year 2100.
            assert!((1..=300).contains(&answer.number("retry-after")), "{}: {answer:?}", outcome.name);
            assert_eq!(answer.header("x-source"), None);
            (answer.code(), false)
        }
        code => (code.to_owned(), true),
    };
    let row = Row { fault_target, outcome, answer, classes: classes(&app).await, took, is_wrong };
    app.stop().await;
    row
}

/// What the rows share.
struct Matrix {
    provider: &'static str,
    truth: Truth,
    /// The server whose edition the others copy.
    app: App,
    starting: Semaphore,
}

impl Matrix {
    async fn start(provider: &'static str) -> Arc<Self> {
        let upstream = sandbox().await;
        let app = scene().official(&upstream).start().await;
        let page = ask(&app).await.found();
        let alone = scene().provider(&upstream, provider).with_editions_of(&app).start().await;
        let truth = Truth { page, provider: ask(&alone).await.found() };
        Arc::new(Self { provider, truth, app, starting: Semaphore::new(STARTING) })
    }
}

/// Every fault. Those that wait for a timeout come first.
pub(crate) fn outcomes() -> Vec<&'static FaultCase> {
    use Delivery::{Drip, Hang, HangAfterHead, Late, Slow, SlowClose};
    let mut outcomes: Vec<&'static FaultCase> = FaultCase::ALL.iter().collect();
    outcomes.sort_by_key(|outcome| {
        !matches!(outcome.fault, Fault::Delivered(Late(_) | Hang | HangAfterHead | Drip(_) | Slow(_) | SlowClose(_)))
    });
    outcomes
}

/// The answer that the row must get.
fn expected(row: &Row) -> &'static str {
    let page_is_well = HARMLESS_TO_PAGES.contains(&row.outcome.name);
    let provider_is_well = match row.classes.iter().find(|(source, _)| *source != "official") {
        Some((_, class)) => class == "found",
        None => false,
    };
    match row.fault_target {
        FaultTarget::Page | FaultTarget::Both if page_is_well => "found, official",
        FaultTarget::Page => "found, provider",
        FaultTarget::Provider | FaultTarget::Both if provider_is_well => "found, provider",
        FaultTarget::Provider | FaultTarget::Both => "upstream_unavailable",
    }
}

async fn every_fault(provider: &'static str, fault_targets: &[FaultTarget]) {
    let matrix = Matrix::start(provider).await;
    let mut running = JoinSet::new();
    for outcome in outcomes() {
        // Those that wait take longest at both.
        let is_of_delivery = matches!(outcome.fault, Fault::Delivered(_));
        let is_harmless = HARMLESS_TO_JSON.contains(&outcome.name);
        let is_tried = |it: &&FaultTarget| {
            fault_targets.contains(it) || is_of_delivery || is_harmless && **it == FaultTarget::Provider
        };
        for &fault_target in FaultTarget::ALL.iter().filter(is_tried) {
            running.spawn(row(fault_target, outcome, Arc::clone(&matrix)));
        }
    }
    let mut rows = running.join_all().await;
    rows.sort_by_key(|row| (row.fault_target, row.outcome.number));
    rows.iter().for_each(|row| detail(&row.to_string()));

    for row in &rows {
        assert!(!row.is_wrong && row.answer == expected(row), "{row}");
        assert!(row.took <= MAX_TIME + slack(), "{row}");
        assert!(!row.classes.values().any(|class| class == "not_found"), "{row}");
    }
    let well = |fault_target, source: &str| -> HashSet<&str> {
        let rows = rows.iter().filter(|row| row.fault_target == fault_target);
        rows.filter(|row| row.classes.get(source).is_some_and(|c| c == "found")).map(|row| row.outcome.name).collect()
    };
    assert_eq!(well(FaultTarget::Page, "official"), HashSet::from(HARMLESS_TO_PAGES));
    let well = well(FaultTarget::Provider, provider);
    assert!(HARMLESS_TO_JSON.iter().all(|name| well.contains(name)), "{well:?}");

    let count = |answer: &str| rows.iter().filter(|row| row.answer == answer).count();
    let longest = rows.iter().map(|row| row.took.as_millis()).max().unwrap();
    figure(
        "U1–U25",
        &format!("faults at the page, at {provider}, at both"),
        &format!(
            "{} calls: {} official, {} provider, {} unavailable, {} wrong; longest {longest} ms",
            rows.len(),
            count("found, official"),
            count("found, provider"),
            count("upstream_unavailable"),
            rows.iter().filter(|row| row.is_wrong).count(),
        ),
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn no_fault_causes_a_wrong_or_late_answer_or_a_404() {
    match setting("PROVIDERS").as_deref() {
        Some("all") => {
            for preset in PRESETS {
                every_fault(preset.name, &FaultTarget::ALL).await;
            }
        }
        Some(_) | None => every_fault(PROVIDER, &[FaultTarget::Page]).await,
    }
}
