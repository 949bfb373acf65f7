//! The page of metrics: the counts of operations and sources that the program reads from it, and the counts of the last
//! hour and day.

use std::collections::BTreeMap;
use std::slice;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::layers::{CallResult, Observer};
use kuraka_app::CalledOperation;
use kuraka_domain::{DatasetRole, Date, ResultCode};
use kuraka_panel::operator::TimeBound;
use kuraka_ports::{AttemptOutcome, DatasetAttempt, DatasetState, DatasetStatus, Edition, EditionOrigin};
use kuraka_server::metrics::{Kind, MCP, Metrics};
use tokio::time::advance;

/// The operation with this name and index.
const fn operation(name: &'static str, index: usize) -> Kind {
    Kind::from_operation(CalledOperation { name, index, in_usage: true })
}

/// The value of a label in a line of the page.
fn label<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split_once(&format!("{name}=\""))?.1.split('"').next()
}

#[test]
fn metrics_and_series_are_sorted_and_buckets_keep_their_order() {
    let page = Metrics::new(["two", "one"]).print().unwrap();
    let metrics: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("# HELP ")).collect();
    assert!(metrics.len() > 10 && metrics.is_sorted(), "{page}");
    let counters: Vec<&str> = page.lines().filter(|line| line.starts_with("kuraka_answers_total{")).collect();
    assert_eq!(counters.len(), 5 * ResultCode::ALL.len(), "{page}");
    assert!(counters.is_sorted(), "{page}");
    let of_histogram: Vec<&str> = page.lines().filter(|line| line.starts_with("kuraka_answer_seconds_")).collect();
    let mut operations: Vec<_> = of_histogram.iter().map(|line| label(line, "operation").unwrap()).collect();
    operations.dedup();
    assert_eq!(operations, ["docs", "one", "other", "panel", "two"], "the series of each stay together: {page}");
    for operation in operations {
        let own = of_histogram.iter().filter(|line| label(line, "operation") == Some(operation));
        let bounds: Vec<f64> = own.filter_map(|line| label(line, "le")?.parse().ok()).collect();
        assert!(bounds.len() > 10 && bounds.is_sorted(), "{operation}: {bounds:?}");
        assert_eq!(bounds.last(), Some(&f64::INFINITY), "{operation}: {bounds:?}");
    }
    assert!(page.ends_with("\n# EOF\n"), "{page}");
}

#[test]
fn the_metrics_of_a_dataset_follow_the_state_and_keep_the_last_success() {
    let metrics = Metrics::new([]);
    let has = |line: &str| {
        let page = metrics.print().unwrap();
        assert!(page.lines().any(|known| known == line), "{line} in\n{page}");
    };
    let attempt = |at: &str, outcome| Some(DatasetAttempt { at: at.parse().unwrap(), outcome });
    let (label, date) = ("2026-10-31-0badc0de".into(), Date::parse("2026-10-31").unwrap());
    let edition = Edition { label, digest: None, date, origin: EditionOrigin::Published, rows: 110 };
    let mut status = DatasetStatus {
        name: "ssco",
        role: DatasetRole::Capacity,
        title: "",
        attribution: "",
        is_required: false,
        when_absent: "",
        when_too_old: "",
        state: DatasetState::Loaded,
        edition: Some(Arc::new(edition)),
        age_days: Some(20),
        max_age_days: None,
        is_too_old: false,
        lacks_history: false,
        next_update: None,
        progress: None,
        last_attempt: attempt("1970-01-01T00:01:40Z", AttemptOutcome::Unchanged),
    };
    metrics.datasets.set(slice::from_ref(&status));
    has(r#"kuraka_dataset_state{dataset="ssco",state="loaded"} 1"#);
    has(r#"kuraka_dataset_edition{dataset="ssco",edition="2026-10-31-0badc0de"} 1"#);
    has(r#"kuraka_dataset_rows{dataset="ssco"} 110"#);
    has(r#"kuraka_dataset_age_days{dataset="ssco"} 20"#);
    has(r#"kuraka_dataset_last_success_timestamp_seconds{dataset="ssco"} 100"#);
    has(r#"kuraka_dataset_last_failure_timestamp_seconds{dataset="ssco"} 0"#);
    let failed = AttemptOutcome::Failed {
        cause: "the server answered 503".to_owned(),
        reason: String::new(),
        needs_operator: false,
        force_helps: false,
    };
    let last_attempt = attempt("1970-01-01T00:03:20Z", failed);
    status = DatasetStatus { state: DatasetState::Unusable, edition: None, age_days: None, last_attempt, ..status };
    metrics.datasets.set(slice::from_ref(&status));
    has(r#"kuraka_dataset_state{dataset="ssco",state="loaded"} 0"#);
    has(r#"kuraka_dataset_state{dataset="ssco",state="unusable"} 1"#);
    has(r#"kuraka_dataset_last_success_timestamp_seconds{dataset="ssco"} 100"#);
    has(r#"kuraka_dataset_last_failure_timestamp_seconds{dataset="ssco"} 200"#);
    let page = metrics.print().unwrap();
    for gone in ["dataset_rows{", "dataset_age_days{", "dataset_edition{"] {
        assert!(!page.contains(gone), "{gone} in\n{page}");
    }
}

#[test]
fn operations_and_sources_are_counted_with_their_failures_and_times() {
    let metrics = Metrics::new(["one", "two", MCP]);
    for source in ["official", "apisperu", "migo", "sources"] {
        metrics.add_source(source);
    }
    let (fast, slow) = (Duration::from_micros(30), Duration::from_secs(3_600));
    for code in ResultCode::ALL {
        metrics.record_answer(operation("one", 0), code, fast);
    }
    metrics.record_answer(operation("two", 1), ResultCode::UpstreamUnavailable, slow);
    for other in [operation(MCP, 2), Kind::OTHER, Kind::DOCS, Kind::PANEL] {
        metrics.record_answer(other, ResultCode::InternalError, fast);
    }
    for source in ["apisperu", "migo", "sources"] {
        for outcome in CallResult::ALL {
            metrics.observe(source, outcome, Duration::from_millis(30));
        }
    }
    let counts = metrics.measured();
    let of = |subject: &str| counts.get(subject).map(|counts| (counts.calls, counts.failed));
    assert_eq!(of("/one"), Some((ResultCode::ALL.len() as u64, 3)));
    assert_eq!(of("/two"), Some((1, 1)));
    assert_eq!((of("respaldo"), of("pagina_oficial")), (Some((18, 12)), Some((0, 0))), "providers together");
    assert_eq!(counts.keys().filter(|subject| !subject.starts_with('/')).count(), 2, "{counts:?}");
    assert_eq!(counts.len(), 4, "operations of the table only: {counts:?}");
    let times = |subject: &str| {
        let times = counts.get(subject).unwrap().times.iter();
        times.filter(|(_, count)| **count > 0).map(|(bound, count)| (*bound, *count)).collect::<Vec<_>>()
    };
    assert_eq!(times("/one"), [(100, ResultCode::ALL.len() as u64)]);
    assert_eq!(times("/two"), [(u64::MAX, 1)]);
    assert_eq!(times("respaldo"), [(50_000, 18)]);
}

#[tokio::test(start_paused = true)]
async fn an_hour_has_what_was_counted_since_its_sample() {
    let metrics = Metrics::new(["ruc"]);
    let answer = |code, millis| metrics.record_answer(operation("ruc", 0), code, Duration::from_millis(millis));
    answer(ResultCode::Found, 1_000);
    metrics.sample();
    advance(Duration::from_secs(4_500)).await;
    metrics.sample();
    for _ in 0..98 {
        answer(ResultCode::Found, 1);
    }
    answer(ResultCode::InternalError, 1);
    answer(ResultCode::Found, 20);
    advance(Duration::from_secs(3_600)).await;
    let [hour] = metrics.since([Duration::from_secs(3_600)]);
    assert_eq!(hour.duration, Duration::from_secs(3_600));
    let counts = hour.counts("kuraka_answers_total{", ["operation", "code"]);
    let expected = vec![("found".to_owned(), 99), ("internal_error".to_owned(), 1)];
    assert_eq!(counts, BTreeMap::from([("ruc".to_owned(), expected)]));
    let most = |seconds| Some(TimeBound::AtMost(seconds));
    let quantile = |share| hour.quantile("ruc", share);
    assert_eq!((quantile(0.5), quantile(0.99), quantile(1.0)), (most(0.0016), most(0.0016), most(0.0256)));
    assert_eq!(hour.quantile("cpe", 0.5), None);
    for _ in 0..2 {
        answer(ResultCode::Found, 200_000);
    }
    let [day] = metrics.since([Duration::from_secs(86_400)]);
    assert_eq!((day.duration.as_secs(), day.quantile("ruc", 0.5)), (8_100, most(0.0016)));
    assert_eq!(day.quantile("ruc", 1.0), Some(TimeBound::MoreThan(104.8576)));
}
