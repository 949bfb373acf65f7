//! The output of commands: results on standard output, everything else on standard error.

use std::io::{self, IsTerminal, Write};

use jiff::Timestamp;
use kuraka_server::logs;
use serde::Serialize;

use crate::cli::Form;

/// Prints a line of the result, or several. A closed pipe is not an error.
pub(crate) fn line(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{}", printable(text, "\n\t"));
}

/// Prints a line that is not part of the result, such as progress.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(text, "\n\t"));
}

/// Without control characters but `kept` and marks that change a line's direction: names and addresses are untrusted.
fn printable(text: &str, kept: &str) -> String {
    let is_obeyed = |c: char| {
        c.is_control() && !kept.contains(c)
            || matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if is_obeyed(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Prints a question, whose answer is typed on the same line.
pub(crate) fn ask(text: &str) {
    let mut terminal = io::stderr().lock();
    let _ = write!(terminal, "{text}").and_then(|()| terminal.flush());
}

/// A time to the second, as tables show it.
pub(crate) fn second(time: Timestamp) -> String {
    time.strftime("%Y-%m-%d %H:%M:%SZ").to_string()
}

/// As [`second`]; `-` if there is none.
pub(crate) fn second_or_dash(time: Option<Timestamp>) -> String {
    time.map_or_else(|| "-".to_owned(), second)
}

/// Prints why the command failed.
pub(crate) fn error(text: &str) {
    let mark = if io::stderr().is_terminal() { "\u{1b}[1;31merror\u{1b}[0m" } else { "error" };
    logs::print(&format!("{mark}: {text}"));
}

/// Prints a value as JSON, a field a line.
pub(crate) fn json(value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    line(&serde_json::to_string_pretty(value)?);
    Ok(())
}

/// Prints records: as a table, or as one JSON array.
pub(crate) fn list<T: Serialize, const N: usize>(
    form: Form,
    records: &[T],
    heading: [&str; N],
    cells: impl Fn(&T) -> [String; N],
) -> serde_json::Result<()> {
    if form.json {
        return json(records);
    }
    table(heading, &records.iter().map(cells).collect::<Vec<_>>());
    Ok(())
}

/// Aligned columns without frame or colours, which programs can read too.
pub(crate) fn table<const N: usize>(heading: [&str; N], rows: &[[String; N]]) {
    let rows: Vec<_> = rows.iter().map(|row| row.each_ref().map(|cell| printable(cell, ""))).collect();
    let mut widths = heading.map(|cell| cell.chars().count());
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let print = |cells: [&str; N]| {
        let padded: Vec<String> = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        line(padded.join("  ").trim_end());
    };
    print(heading);
    for row in &rows {
        print(row.each_ref().map(String::as_str));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_obeys_nothing_in_a_cell() {
        let hostile = "https://a/\u{1b}]0;T\u{7}\u{9b}31m\r\n99  falso\u{202e}\u{2028}ñ";
        assert_eq!(printable(hostile, ""), "https://a/�]0;T��31m��99  falso��ñ");
        assert_eq!(printable("uno\n\tdos\r", "\n\t"), "uno\n\tdos�");
    }
}
