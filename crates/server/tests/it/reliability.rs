//! How long the tests of faults last, and what they measured: `make reliability` sets the one and collects the other.

/// A number that a variable `RELIABILITY_…` may replace.
#[allow(clippy::disallowed_methods, reason = "not a setting of the program but of its tests")]
pub(crate) fn number(name: &str, usual: u64) -> u64 {
    std::env::var(format!("RELIABILITY_{name}")).map_or(usual, |text| text.parse().unwrap())
}

/// A line for the table: the row's id, what was tried, what was measured.
#[allow(clippy::print_stdout, reason = "what a run measured is what it is for")]
pub(crate) fn figure(row: &str, tried: &str, measured: &str) {
    println!("figure | {row} | {tried} | {measured} |");
}
