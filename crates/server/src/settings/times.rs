//! How long sources may take, how long their answers are kept, and how long one that fails is left in peace.

use std::time::Duration;

use kuraka_adapters::layers::Times;

use super::{Layers, SettingsError};

const SECOND: Duration = Duration::from_secs(1);
/// A server that stops gives calls under way 15 seconds.
const ANSWERS: (Duration, Duration, &str) =
    (Duration::from_millis(100), Duration::from_secs(14), "a time from 100ms to 14s, such as 8s");
const KEEPS: (Duration, Duration, &str) =
    (Duration::ZERO, Duration::from_secs(86_400), "a time up to 24h, such as 10m, 0s to keep nothing");
const RESTS: (Duration, Duration, &str) = (SECOND, Duration::from_secs(300), "a time from 1s to 300s, such as 15s");

/// `sources`.
pub(super) fn times(layers: &Layers) -> Result<Times, SettingsError> {
    let time = |key: &str, (least, most, expected): (Duration, Duration, &str)| {
        let span =
            layers.text(key)?.parse::<jiff::SignedDuration>().ok().and_then(|span| Duration::try_from(span).ok());
        span.filter(|span| (least..=most).contains(span)).ok_or_else(|| layers.refused(key, expected))
    };
    Ok(Times {
        deadline: time("sources.deadline", ANSWERS)?,
        page: time("sources.page", ANSWERS)?,
        provider: time("sources.provider", ANSWERS)?,
        voucher: time("sources.voucher", ANSWERS)?,
        found_for: time("sources.found_for", KEEPS)?,
        not_found_for: time("sources.not_found_for", KEEPS)?,
        breaker_open: time("sources.breaker_open", RESTS)?,
    })
}
