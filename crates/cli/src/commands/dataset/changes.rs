//! `kuraka dataset changes`: prints the recorded changes of a dataset, as CSV or as one JSON object per line.

use std::io::{self, Write};

use kuraka_domain::Date;
use kuraka_registry::changes::{Cell, Change, ChangeKind, FieldChange, Publication, publications};
use kuraka_registry::dataset::Dataset;
use kuraka_server::logs;
use kuraka_server::settings::Settings;
use serde_json::{Value, json};

use crate::cli::LinesForm;
use crate::commands::lines::{self, Lines};
use crate::commands::runtime::Failure;
use crate::console;

const COLUMNS: [&str; 7] = ["from", "to", "ruc", "change", "field", "before", "after"];

/// One change, or a gap.
enum Line<'a> {
    Change {
        change: &'a Change,
        fields: &'a [String],
    },
    /// These or the following changes are unknown.
    Gap {
        reason: &'a str,
    },
}

pub(super) fn changes(
    dataset: &'static Dataset,
    since: Option<Date>,
    form: LinesForm,
    settings: &Settings,
) -> Result<(), Failure> {
    let found = publications(&settings.datasets_dir(), dataset)?;
    let is_asked = |step: &&Publication| since.is_none_or(|since| step.date().is_none_or(|date| date >= since));
    let mut steps = found.steps.iter().filter(is_asked).peekable();
    if steps.peek().is_none() {
        let name = dataset.name;
        console::note(&format!("no changes of {name} are recorded: they are when an edition replaces another one"));
    }
    Ok(lines::print(form, |out| print(steps, out))?)
}

fn print<'a>(steps: impl Iterator<Item = &'a Publication>, out: &mut Lines<impl Write>) -> io::Result<()> {
    out.header(COLUMNS)?;
    for step in steps {
        let mut line = |line: Line<'_>| match out {
            Lines::Csv(csv) => write_csv(csv, step, &line).map_err(lines::failed),
            Lines::Ndjson(out) => writeln!(out, "{}", object(step, &line)),
        };
        let cause = match step.changes() {
            Err(gap) => Some(logs::chain(&gap)),
            Ok(list) => {
                let fields = &list.facts().fields;
                let mut failed = None;
                for change in list.changes() {
                    match change {
                        Ok(change) => line(Line::Change { change: &change, fields })?,
                        Err(error) => failed = Some(logs::chain(&error)),
                    }
                }
                failed
            }
        };
        if let Some(reason) = cause {
            line(Line::Gap { reason: &reason })?;
            console::note(&format!("warning: from {} to {}: {reason}", step.from.label, step.to.label));
        }
    }
    Ok(())
}

/// A line for each new or gone taxpayer, changed field, and row. A gap's reason is in the last cell.
fn write_csv(csv: &mut csv::Writer<impl Write>, step: &Publication, line: &Line<'_>) -> csv::Result<()> {
    let mut cells = |ruc: &str, change: &str, field: &str, before: &str, after: &str| {
        csv.write_record([&*step.from.label, &*step.to.label, ruc, change, field, before, after])
    };
    let (change, fields) = match line {
        Line::Gap { reason } => return cells("", "gap", "", "", reason),
        Line::Change { change, fields } => (change, fields),
    };
    let ruc = change.ruc.to_string();
    match &change.kind {
        ChangeKind::New { .. } => cells(&ruc, "new", "", "", ""),
        ChangeKind::Gone { .. } => cells(&ruc, "gone", "", "", ""),
        ChangeKind::Changed { fields: changed } => changed.iter().try_for_each(|it| {
            let [before, after] = [&it.before, &it.after].map(|cell| cell.as_deref().unwrap_or_default());
            cells(&ruc, "changed", name(fields, it), before, after)
        }),
        ChangeKind::Rows { removed, added } => {
            removed.iter().try_for_each(|row| cells(&ruc, "row_removed", "", &named(fields, row).to_string(), ""))?;
            added.iter().try_for_each(|row| cells(&ruc, "row_added", "", "", &named(fields, row).to_string()))
        }
    }
}

fn object(step: &Publication, line: &Line<'_>) -> Value {
    let mut object = json!({"from": step.from.label, "to": step.to.label});
    let more = match line {
        Line::Gap { reason } => json!({"change": "gap", "reason": reason}),
        Line::Change { change: Change { ruc, kind }, fields } => {
            let ruc = ruc.to_string();
            match kind {
                ChangeKind::New { .. } => json!({"ruc": ruc, "change": "new"}),
                ChangeKind::Gone { rows } => {
                    let rows: Vec<_> = rows.iter().map(|row| named(fields, row)).collect();
                    json!({"ruc": ruc, "change": "gone", "rows": rows})
                }
                ChangeKind::Changed { fields: changed } => {
                    let value =
                        |it: &FieldChange| json!({"field": name(fields, it), "before": it.before, "after": it.after});
                    let changed: Vec<_> = changed.iter().map(value).collect();
                    json!({"ruc": ruc, "change": "changed", "fields": changed})
                }
                ChangeKind::Rows { removed, added } => {
                    let [removed, added] =
                        [removed, added].map(|rows| rows.iter().map(|row| named(fields, row)).collect::<Vec<_>>());
                    json!({"ruc": ruc, "change": "rows", "removed": removed, "added": added})
                }
            }
        }
    };
    if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
    object
}

fn name<'a>(fields: &'a [String], change: &FieldChange) -> &'a str {
    fields.get(change.field).map_or("", String::as_str)
}

/// Without fields that have no value.
fn named(fields: &[String], row: &[Cell]) -> Value {
    let cells = fields.iter().zip(row).filter_map(|(field, cell)| Some((field.clone(), json!(cell.as_ref()?))));
    Value::Object(cells.collect())
}
