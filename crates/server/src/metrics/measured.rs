//! Calls, failures and times of operations and sources, as `kuraka-app` measures them.

use std::collections::BTreeMap;

use kuraka_adapters::layers::CallResult;
use kuraka_domain::ResultCode;
use kuraka_panel::source_status::Role;
use kuraka_ports::{CallCounts, SourceErrorKind};

use super::page;

/// Reads the counts off a page of metrics, by the operation's path and the source's public name.
pub(super) fn counts(page: &str, is_operation: impl Fn(&str) -> bool) -> BTreeMap<String, CallCounts> {
    let mut all = BTreeMap::<String, CallCounts>::new();
    // Of one histogram's buckets, which follow one another.
    let mut below = 0;
    for (series, value) in page::series(page) {
        let label = |name: &str| page::label(series, name);
        let metric = series.split_once('{').map_or(series, |(metric, _)| metric);
        let operation = label("operation").filter(|name| is_operation(name)).map(|name| format!("/{name}"));
        let Some(subject) = operation.or_else(|| source(label("source")?)) else { continue };
        match metric {
            "kuraka_answers_total" | "kuraka_source_calls_total" => {
                let counts = all.entry(subject).or_default();
                if let Some(is_failure) = label("code").map_or_else(|| outcome(label("outcome")?), failure) {
                    counts.calls += value;
                    counts.failed += if is_failure { value } else { 0 };
                }
            }
            "kuraka_answer_seconds_bucket" | "kuraka_source_call_seconds_bucket" => {
                let bound = label("le").and_then(|bound| bound.parse::<f64>().ok()).unwrap_or(f64::INFINITY);
                let micros = if bound.is_finite() { (bound * 1e6).round() as u64 } else { u64::MAX };
                *all.entry(subject).or_default().times.entry(micros).or_default() += value.saturating_sub(below);
                below = if bound.is_finite() { value } else { 0 };
            }
            _ => {}
        }
    }
    all
}

/// The public name; `None` = it stands for several sources.
fn source(label: &str) -> Option<String> {
    let role = match label {
        "sources" | "vouchers" => return None,
        "official" => Role::OfficialPage,
        "sunat_vouchers" => Role::Vouchers,
        _ => Role::Provider,
    };
    Some(role.name().to_owned())
}

/// Whether this service is at fault.
fn failure(code: &str) -> Option<bool> {
    let code = code.parse::<ResultCode>().ok()?;
    let failures = [ResultCode::InternalError, ResultCode::ServiceUnavailable, ResultCode::UpstreamUnavailable];
    Some(failures.contains(&code))
}

/// Whether the source is at fault; `None` = the request was not made or not finished.
fn outcome(outcome: &str) -> Option<bool> {
    let result = CallResult::ALL.into_iter().find(|result| result.as_str() == outcome)?;
    match result {
        CallResult::Found | CallResult::NotFound | CallResult::Failed(SourceErrorKind::UnverifiedAbsence) => {
            Some(false)
        }
        CallResult::Dropped | CallResult::Failed(SourceErrorKind::HeldBack) => None,
        CallResult::Failed(_) => Some(true),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use kuraka_adapters::layers::{Observation, Observer};

    use crate::metrics::{Kind, MCP, Metrics};

    use super::*;

    #[test]
    fn operations_and_sources_are_counted_with_their_failures_and_times() {
        let metrics = Metrics::new(["one", "two", MCP]);
        for source in ["official", "apisperu", "migo", "sources"] {
            metrics.add_source(source);
        }
        let kind = |name, index| Kind::from_operation(kuraka_app::CalledOperation { name, index, in_usage: true });
        let (fast, slow) = (Duration::from_micros(30), Duration::from_secs(3_600));
        for code in ResultCode::ALL {
            metrics.record_answer(kind("one", 0), code, fast);
        }
        metrics.record_answer(kind("two", 1), ResultCode::UpstreamUnavailable, slow);
        for other in [kind(MCP, 2), Kind::OTHER, Kind::DOCS, Kind::PANEL] {
            metrics.record_answer(other, ResultCode::InternalError, fast);
        }
        for source in ["apisperu", "migo", "sources"] {
            for outcome in CallResult::ALL {
                metrics.observe(Observation { source, outcome, latency: Duration::from_millis(30) });
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
}
