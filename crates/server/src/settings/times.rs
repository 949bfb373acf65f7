//! Settings of durations: timeouts of the sources, cache times, the breakers' open time, and the delay of a shutdown.

use std::time::Duration;

use kuraka_adapters::layers::Times;

use super::{SettingsError, Values};

pub(super) const SECOND: Duration = Duration::from_secs(1);
/// The shortest and the longest time, and a description of both.
pub(super) type Range = (Duration, Duration, &'static str);

/// Below the 15 seconds that a stopping server gives to calls in progress.
const ANSWERS: Range = (Duration::from_millis(100), Duration::from_secs(14), "a time from 100ms to 14s, such as 8s");
const KEEPS: Range = (Duration::ZERO, Duration::from_secs(86_400), "a time up to 24h, such as 10m, 0s to keep nothing");
const RESTS: Range = (SECOND, Duration::from_secs(300), "a time from 1s to 300s, such as 15s");

const DELAYS: Range = (Duration::ZERO, Duration::from_secs(60), "a time up to 60s, such as 5s, 0s to stop at once");

/// `sources`.
pub(super) fn times(values: &Values) -> Result<Times, SettingsError> {
    Ok(Times {
        deadline: time(values, "sources.deadline", ANSWERS)?,
        page: time(values, "sources.page", ANSWERS)?,
        provider: time(values, "sources.provider", ANSWERS)?,
        voucher: time(values, "sources.voucher", ANSWERS)?,
        found_for: time(values, "sources.found_for", KEEPS)?,
        not_found_for: time(values, "sources.not_found_for", KEEPS)?,
        breaker_open: time(values, "sources.breaker_open", RESTS)?,
    })
}

/// `http.stop_delay`.
pub(super) fn stop_delay(values: &Values) -> Result<Duration, SettingsError> {
    time(values, "http.stop_delay", DELAYS)
}

pub(super) fn time(values: &Values, key: &str, (least, most, expected): Range) -> Result<Duration, SettingsError> {
    let span = values.text(key)?.parse::<jiff::SignedDuration>().ok().and_then(|span| Duration::try_from(span).ok());
    span.filter(|span| (least..=most).contains(span)).ok_or_else(|| values.invalid(key, expected))
}
