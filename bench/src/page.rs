//! The table for the terminal and for its page of the documentation.

use std::fs;

use crate::{Failure, Row};

const PAGE: &str = "docs/reference/performance.md";
/// The page above this line is written by hand and kept.
const MARK: &str = "<!-- the last run of `make bench` -->";

pub fn table(rows: &[Row]) -> String {
    let mut text = String::from("| what | asked | found | |\n|---|---|---|---|\n");
    for Row { what, asked, found, met } in rows {
        let mark = match (asked.as_str(), met) {
            ("–", _) => "",
            (_, true) => "met",
            (_, false) => "**missed**",
        };
        text.push_str(&format!("| {what} | {asked} | {found} | {mark} |\n"));
    }
    text
}

/// Writes the table and the description of the machine to the page.
pub fn keep(machine: &str, rows: u64, pairs: usize, table: &str) -> Result<(), Failure> {
    let page = fs::read_to_string(PAGE)?;
    let (above, _) = page.split_once(MARK).ok_or_else(|| format!("{PAGE} has no line {MARK}"))?;
    let text = format!("{above}{MARK}\n\n{machine} · {rows} generated rows · medians of {pairs} pairs.\n\n{table}");
    fs::write(PAGE, text)?;
    eprintln!("kept in {PAGE}");
    Ok(())
}
