//! The `Retry-After` header: how long a source asks clients to wait.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;

/// Reads whole seconds, or a date, which `now` turns into a duration. A date in the past is zero.
pub fn read(value: &str, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    Some(until.duration_since(SystemTime::from(now)).unwrap_or_default())
}
