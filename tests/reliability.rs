//! How long the fault tests run, and what they measured. `make reliability` sets the durations and collects the figures.
//! Every test crate that needs it includes this file.

/// A variable `RELIABILITY_…` that makes a test longer.
#[expect(clippy::disallowed_methods, reason = "a setting of the tests, not of the program")]
pub(crate) fn setting(name: &str) -> Option<String> {
    std::env::var(format!("RELIABILITY_{name}")).ok()
}

/// A number that a variable may replace.
pub(crate) fn number(name: &str, usual: u64) -> u64 {
    setting(name).map_or(usual, |text| text.parse().unwrap())
}

/// Prints a line of the table: the row's id, what was tried, what was measured.
pub(crate) fn figure(row: &str, tried: &str, measured: &str) {
    detail(&format!("figure | {row} | {tried} | {measured} |"));
}

/// Prints a line of detail.
#[expect(clippy::print_stdout, reason = "the figures are the purpose of a run")]
pub(crate) fn detail(line: &str) {
    println!("{line}");
}
