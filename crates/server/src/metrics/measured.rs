//! Calls, failures and times of operations and sources, as `kuraka-app` measures them.

use std::collections::BTreeMap;

use kuraka_adapters::layers::CallResult;
use kuraka_domain::ResultCode;
use kuraka_panel::source_status::Role;
use kuraka_ports::{CallCounts, SourceErrorKind};

use super::page;

/// Reads the counts off a page of metrics, because a `Family` does not list its series; by the operation's path and the
/// source's public name.
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
    Some(role.as_str().to_owned())
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
