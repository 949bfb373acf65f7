//! What a caller is told when no source could answer, and how fresh an answer is that one gave.

use std::time::Duration;

use kuraka_domain::ResultCode;
use kuraka_ports::{Freshness, SourceError, SourceErrorKind};

use super::admission::Call;
use super::response::ApiResponse;
use crate::logs;

/// Seconds after which sources that could not answer may be asked again: how long a breaker stays open at first.
const RETRY_AFTER: u64 = 15;
/// The same where our own limit held the question back.
const HELD_BACK: u64 = 1;
/// What a source asks for is passed on up to this: after so many seconds it is asked again anyway, and whoever says
/// "in the year 2100" is not to speak for us.
const LONGEST_RETRY_AFTER: u64 = 300;

/// `upstream_unavailable`, whatever the source's trouble is: our credentials are none of the caller's.
pub(crate) fn unavailable(call: &Call, error: &SourceError) -> ApiResponse {
    let wait = match error.kind {
        // The source was never asked: our own places and paces are free again in a moment.
        SourceErrorKind::HeldBack => HELD_BACK,
        SourceErrorKind::Throttled { retry_after: Some(wait) } => whole_seconds(wait).clamp(1, LONGEST_RETRY_AFTER),
        SourceErrorKind::Throttled { retry_after: None }
        | SourceErrorKind::Unavailable
        | SourceErrorKind::Refused
        | SourceErrorKind::Credentials
        | SourceErrorKind::Unreadable
        | SourceErrorKind::Rejected
        | SourceErrorKind::UnverifiedAbsence => RETRY_AFTER,
    };
    call.failed(ResultCode::UpstreamUnavailable).retry_after(wait).with_cause(logs::chain(error))
}

/// The value of `X-Source-Status`.
pub(crate) const fn status(freshness: Freshness) -> &'static str {
    match freshness {
        Freshness::Live => "live",
        Freshness::Cached => "cached",
        Freshness::Sandbox => "sandbox",
    }
}

/// Rounded up: whoever comes early is told to wait again.
fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0))
}
