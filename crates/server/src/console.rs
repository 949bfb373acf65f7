//! What commands say to the person or script that called them: results on standard output, the rest on standard error.

use std::io::{self, IsTerminal, Write};

/// A line of the result. A reader who has gone away is no error.
pub(crate) fn line(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// A line about what is going on, apart from the result.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Why the command failed.
pub(crate) fn problem(text: &str) {
    let mark = if io::stderr().is_terminal() { "\u{1b}[1;31merror\u{1b}[0m" } else { "error" };
    let _ = writeln!(io::stderr().lock(), "{mark}: {text}");
}

/// Rows in aligned columns under a heading; no frame, no colour, so that a pipe can read it too.
pub(crate) fn table<const N: usize>(heading: [&str; N], rows: &[[String; N]]) {
    let mut widths = heading.map(|cell| cell.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let print = |cells: [&str; N]| {
        let padded: Vec<String> = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        line(padded.join("  ").trim_end());
    };
    print(heading);
    for row in rows {
        print(row.each_ref().map(String::as_str));
    }
}
