//! How long the fault tests run, and what they measured. `make reliability` sets the durations and collects the figures.
//! Every test crate that needs it includes this file.

use std::time::Duration;

/// A variable `RELIABILITY_…` that makes a test longer.
#[allow(clippy::disallowed_methods, reason = "a setting of the tests, not of the program")]
pub(crate) fn setting(name: &str) -> Option<String> {
    std::env::var(format!("RELIABILITY_{name}")).ok()
}

/// A number that a variable may replace.
pub(crate) fn number(name: &str, usual: u64) -> u64 {
    setting(name).map_or(usual, |text| text.parse().unwrap())
}

/// Checks a latency under load against that of the same calls without it, and returns the ratio. The ratio may exceed
/// `target` by the time that a thread waits for a processor. In a short run, other tests use the processors meanwhile.
#[allow(dead_code, reason = "not every test crate measures latencies")]
#[track_caller]
pub(crate) fn bounded_ratio(beside: Duration, alone: Duration, target: f64, is_long: bool) -> f64 {
    let scheduling = Duration::from_millis(if is_long { 5 } else { 150 });
    assert!(beside <= alone.mul_f64(target) + scheduling, "{beside:?} under load, {alone:?} without it");
    beside.as_secs_f64() / alone.as_secs_f64()
}

/// Prints a line of the table: the row's id, what was tried, what was measured.
pub(crate) fn figure(row: &str, tried: &str, measured: &str) {
    detail(&format!("figure | {row} | {tried} | {measured} |"));
}

/// Prints a line of detail.
#[allow(clippy::print_stdout, reason = "the figures are the purpose of a run")]
pub(crate) fn detail(line: &str) {
    println!("{line}");
}
