//! The table, on the terminal and on its page of the documentation.

use std::fs;

use crate::{Failure, Row};

const PAGE: &str = "docs/reference/performance.md";
/// What stands above this line of the page was written by hand and stays.
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

/// Puts the table on the page, with the machine it is from.
pub fn keep(machine: &str, rows: u64, pairs: usize, table: &str) -> Result<(), Failure> {
    let page = fs::read_to_string(PAGE)?;
    let (above, _) = page.split_once(MARK).ok_or_else(|| format!("{PAGE} has no line {MARK}"))?;
    let text = format!("{above}{MARK}\n\n{machine} · {rows} generated rows · medians of {pairs} pairs.\n\n{table}");
    fs::write(PAGE, text)?;
    eprintln!("kept in {PAGE}");
    Ok(())
}
