//! How long the tests of faults last, and what they measured: `make reliability` sets the one and collects the other.
//! Included by every test crate that needs it.

/// A variable `RELIABILITY_…` that makes a test longer.
#[allow(clippy::disallowed_methods, reason = "not a setting of the program but of its tests")]
pub(crate) fn setting(name: &str) -> Option<String> {
    std::env::var(format!("RELIABILITY_{name}")).ok()
}

/// A number that a variable may replace.
pub(crate) fn number(name: &str, usual: u64) -> u64 {
    setting(name).map_or(usual, |text| text.parse().unwrap())
}

/// A line for the table: the row's id, what was tried, what was measured.
pub(crate) fn figure(row: &str, tried: &str, measured: &str) {
    detail(&format!("figure | {row} | {tried} | {measured} |"));
}

/// A line for whoever looks closer.
#[allow(clippy::print_stdout, reason = "what a run measured is what it is for")]
pub(crate) fn detail(line: &str) {
    println!("{line}");
}
