//! The response when no source can answer, and the headers of one that a source made.

use std::time::Duration;

use kuraka_domain::ResultCode;
use kuraka_ports::{Freshness, SourceError, SourceErrorKind};

use super::response::{ApiResponse, Provenance};
use crate::logs;

/// In seconds: a breaker's first open time.
const RETRY_AFTER: u64 = 15;
/// In seconds, if Kuraka's own rate or concurrency limit stopped the request.
pub(crate) const HELD_BACK: u64 = 1;
/// The longest wait in seconds that is passed on; Kuraka itself retries after this time.
const MAX_RETRY_AFTER_SECONDS: u64 = 300;

/// Every error becomes `upstream_unavailable`, so that callers learn nothing about Kuraka's credentials.
pub(crate) fn unavailable(error: &SourceError) -> ApiResponse {
    let response = ApiResponse::new(ResultCode::UpstreamUnavailable);
    response.retry_after(retry_after(error)).with_cause(logs::chain(error))
}

/// Seconds to wait before a retry.
pub(crate) fn retry_after(error: &SourceError) -> u64 {
    match error.kind {
        // Kuraka's own limits allow a request again within a second.
        SourceErrorKind::HeldBack => HELD_BACK,
        SourceErrorKind::Throttled { retry_after: Some(wait) } => whole_seconds(wait).clamp(1, MAX_RETRY_AFTER_SECONDS),
        SourceErrorKind::Throttled { retry_after: None }
        | SourceErrorKind::Unavailable
        | SourceErrorKind::Refused
        | SourceErrorKind::Credentials
        | SourceErrorKind::Unreadable
        | SourceErrorKind::Rejected
        | SourceErrorKind::UnverifiedAbsence => RETRY_AFTER,
    }
}

/// The source headers; `source` is `X-Source`.
pub(crate) const fn provenance(source: &'static str, freshness: Freshness) -> Provenance {
    let status = match freshness {
        Freshness::Live => "live",
        Freshness::Cached => "cached",
        Freshness::Sandbox => "sandbox",
    };
    Provenance { source, status, edition: None }
}

/// Rounded up, because an early client is refused again.
fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0))
}
