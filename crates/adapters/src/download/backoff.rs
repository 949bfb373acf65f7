//! The wait between two attempts. Pure.

use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

use crate::sources::retry_after;

/// The longest wait that a server does not ask for.
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// Longer requested waits are left to the next update.
pub(super) const MAX_RETRY_AFTER: Duration = Duration::from_secs(300);

/// The wait after this many broken attempts: `first`, doubled with each, up to a minute; `random` takes off up to half,
/// so that servers that failed together do not come back together.
pub(super) fn wait(first: Duration, broken: u32, random: u32) -> Duration {
    let doubled = first.saturating_mul(2_u32.saturating_pow(broken.saturating_sub(1))).min(MAX_PAUSE);
    doubled / 2 + (doubled / 2).mul_f64(f64::from(random) / f64::from(u32::MAX))
}

/// The server's requested wait. A date is compared with its own clock.
pub(super) fn asked(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name)?.to_str().ok();
    let now = text(DATE).and_then(|date| httpdate::parse_http_date(date).ok());
    let now = now.and_then(|date| Timestamp::try_from(date).ok());
    // Without a clock, a date asks for no wait.
    retry_after::read(text(RETRY_AFTER)?, now.unwrap_or(Timestamp::MAX))
}
