//! The table for the terminal and for its page of the documentation.

use std::fs;

use crate::{Failure, Row};

const PAGE: &str = "docs/reference/performance.md";
const COMMAND: &str = "make bench";

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
    keep_in(PAGE, COMMAND, &format!("{machine} · {rows} generated rows · medians of {pairs} pairs.\n\n{table}"))
}

/// Replaces what is below the mark of this command in a page. The page above it is written by hand.
pub fn keep_in(page: &str, command: &str, found: &str) -> Result<(), Failure> {
    let mark = format!("<!-- the last run of `{command}` -->");
    let text = fs::read_to_string(page)?;
    let (above, _) = text.split_once(&mark).ok_or_else(|| format!("{page} has no line {mark}"))?;
    fs::write(page, format!("{above}{mark}\n\n{found}"))?;
    eprintln!("kept in {page}");
    Ok(())
}
