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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_read() {
        let now: Timestamp = "2026-11-20T10:00:00Z".parse().unwrap();
        assert_eq!(read("3600", now), Some(Duration::from_secs(3600)));
        assert_eq!(read(" 0 ", now), Some(Duration::ZERO));
        assert_eq!(read("Fri, 20 Nov 2026 10:02:00 GMT", now), Some(Duration::from_secs(120)));
        assert_eq!(read("Fri, 20 Nov 2026 09:00:00 GMT", now), Some(Duration::ZERO));
        for nonsense in ["", "soon", "-5", "1.5"] {
            assert_eq!(read(nonsense, now), None, "{nonsense}");
        }
    }
}
