//! Changes as CSV: a line for each new or gone taxpayer, each changed field, and each row that came or went.

use std::io::{self, Write};

use kuraka_registry::changes::{Change, ChangeKind, Earlier, Step};

use super::line::{Line, named};

pub(super) const HEADER: &str = "from,to,undone,ruc,change,field,before,after";

/// Writes the lines of a change, or of a gap, whose reason stands in the last cell.
pub(super) fn write(out: &mut impl Write, step: &Step, line: &Line<'_>) -> io::Result<()> {
    let mut cells = |ruc: &str, change: &str, field: &str, before: &str, after: &str| {
        let undone = if step.undone { "true" } else { "false" };
        let row = [&*step.from, &*step.to, undone, ruc, change, field, before, after].map(quoted);
        writeln!(out, "{}", row.join(","))
    };
    let (change, fields) = match line {
        Line::Gap { reason } => return cells("", "gap", "", "", reason),
        Line::Change { change, fields } => (change, fields),
    };
    let Change { ruc, kind } = change;
    let ruc = ruc.to_string();
    match kind {
        ChangeKind::New => cells(&ruc, "new", "", "", ""),
        ChangeKind::Gone { .. } => cells(&ruc, "gone", "", "", ""),
        ChangeKind::Changed { fields: changed } => changed.iter().try_for_each(|it| {
            let field = fields.get(it.field).map_or("", String::as_str);
            let [before, after] = [&it.before, &it.after].map(|cell| cell.as_deref().unwrap_or_default());
            cells(&ruc, "changed", field, before, after)
        }),
        ChangeKind::Rows { before, added } => {
            for row in before {
                if let Earlier::Removed(row) = row {
                    cells(&ruc, "row_removed", "", &named(fields, row).to_string(), "")?;
                }
            }
            added.iter().try_for_each(|(_, row)| cells(&ruc, "row_added", "", "", &named(fields, row).to_string()))
        }
    }
}

/// A cell, in quotes if it needs them.
fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_quoted_only_if_it_must_be() {
        assert_eq!(quoted("CAL. 2 DE MAYO"), "CAL. 2 DE MAYO");
        assert_eq!(quoted("A \"B\", C"), "\"A \"\"B\"\", C\"");
    }
}
