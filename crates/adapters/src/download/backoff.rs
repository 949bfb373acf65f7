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

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_wait_doubles_up_to_a_minute_and_loses_up_to_half() {
        for (broken, most) in [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (40, 60), (u32::MAX, 60)] {
            assert_eq!(wait(SECOND, broken, u32::MAX), SECOND * most, "{broken}");
            assert_eq!(wait(SECOND, broken, 0), SECOND * most / 2, "{broken}");
        }
    }

    #[test]
    fn seconds_and_dates_are_read_from_an_answer() {
        let asked = |headers: &[(&str, &str)]| {
            let pairs = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
            asked(&pairs.collect::<HeaderMap>())
        };
        let until = ("retry-after", "Fri, 20 Nov 2026 10:02:00 GMT");
        assert_eq!(asked(&[("retry-after", "7")]), Some(7 * SECOND));
        assert_eq!(asked(&[until, ("date", "Fri, 20 Nov 2026 10:00:00 GMT")]), Some(120 * SECOND));
        assert_eq!(asked(&[until]), Some(Duration::ZERO));
        assert_eq!(asked(&[("retry-after", "soon")]), None);
        assert_eq!(asked(&[]), None);
    }
}
