//! The tables for the terminal and for their pages of the documentation.

use std::fs;

use crate::{Failure, Row};

const PAGE: &str = "docs/reference/performance.md";
const COMMAND: &str = "make bench";
/// Ends what a run replaces. Without it, the run replaces the rest of the page.
const END: &str = "<!-- the end of the last run -->";

pub fn table(rows: &[Row]) -> String {
    let mut text = String::from("| measurement | target | result | |\n|---|---|---|---|\n");
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

/// Writes the tables and the description of the machine to the page.
pub fn keep(machine: &str, rows: u64, pairs: usize, table: &str, peers: &str) -> Result<(), Failure> {
    let run = format!("{machine} · {rows} generated rows · medians of {pairs} pairs.");
    keep_in(PAGE, COMMAND, &format!("{run}\n\n### Peers\n\n{peers}\n### Targets\n\n{table}"))
}

/// Replaces what is between the mark of this command in a page and the mark of the end. A hand writes the rest.
pub fn keep_in(page: &str, command: &str, found: &str) -> Result<(), Failure> {
    let text = replaced(&fs::read_to_string(page)?, command, found).map_err(|why| format!("{page} {why}"))?;
    fs::write(page, text)?;
    eprintln!("kept in {page}");
    Ok(())
}

fn replaced(text: &str, command: &str, found: &str) -> Result<String, Failure> {
    let mark = format!("<!-- the last run of `{command}` -->");
    let (above, below) = text.split_once(&mark).ok_or_else(|| format!("has no line {mark}"))?;
    let below = below.split_once(END).map_or_else(String::new, |(_, below)| format!("\n{END}{below}"));
    Ok(format!("{above}{mark}\n\n{}\n{below}", found.trim_end()))
}
