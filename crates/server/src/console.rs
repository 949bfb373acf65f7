//! The output of commands: results on standard output, everything else on standard error.

use std::io::{self, IsTerminal, Write};

use kuraka_server::logs;

/// Prints a line of the result. A closed pipe is not an error.
pub(crate) fn line(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// Prints a line that is not part of the result, such as progress.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints why the command failed.
pub(crate) fn error(text: &str) {
    let mark = if io::stderr().is_terminal() { "\u{1b}[1;31merror\u{1b}[0m" } else { "error" };
    logs::print(&format!("{mark}: {text}"));
}

/// Prints rows in aligned columns under a heading, without a frame or colours, so that programs can read it too.
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
