//! Changes as one JSON object per line.

use std::io::{self, Write};

use kuraka_registry::changes::{ChangeKind, Earlier, FieldChange, Step};
use serde_json::{Map, Value, json};

use super::line::{Line, named};

/// Writes the line of a change or a gap.
pub(super) fn write(out: &mut impl Write, step: &Step, line: &Line<'_>) -> io::Result<()> {
    let mut object = Map::new();
    let mut set = |name: &str, value: Value| drop(object.insert(name.to_owned(), value));
    set("from", json!(step.from));
    set("to", json!(step.to));
    set("undone", json!(step.undone));
    match line {
        Line::Gap { reason } => {
            set("change", json!("gap"));
            set("reason", json!(reason));
        }
        Line::Change { change, fields } => {
            set("ruc", json!(change.ruc.to_string()));
            match &change.kind {
                ChangeKind::New => set("change", json!("new")),
                ChangeKind::Gone { rows } => {
                    set("change", json!("gone"));
                    set("rows", rows.iter().map(|row| named(fields, row)).collect());
                }
                ChangeKind::Changed { fields: changed } => {
                    let field = |at: usize| fields.get(at).map_or("", String::as_str);
                    let value =
                        |it: &FieldChange| json!({"field": field(it.field), "before": it.before, "after": it.after});
                    set("change", json!("changed"));
                    set("fields", changed.iter().map(value).collect());
                }
                ChangeKind::Rows { before, added } => {
                    let removed = before.iter().filter_map(|row| match row {
                        Earlier::Removed(row) => Some(named(fields, row)),
                        Earlier::Kept(_) => None,
                    });
                    set("change", json!("rows"));
                    set("removed", removed.collect());
                    set("added", added.iter().map(|(_, row)| named(fields, row)).collect());
                }
            }
        }
    }
    writeln!(out, "{}", Value::Object(object))
}
