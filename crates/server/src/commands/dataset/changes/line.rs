//! What is printed of a step from one edition to the next, in either form.

use kuraka_registry::changes::{Cell, Change};
use serde_json::{Value, json};

/// One change, or a gap.
pub(super) enum Line<'a> {
    Change {
        change: &'a Change,
        /// The names of the fields.
        fields: &'a [String],
    },
    /// The changes, or those that follow, are not known.
    Gap { reason: &'a str },
}

/// A row with the names of its fields, without those that have no value.
pub(super) fn named(fields: &[String], row: &[Cell]) -> Value {
    let cells = fields.iter().zip(row).filter_map(|(field, cell)| Some((field.clone(), json!(cell.as_ref()?))));
    Value::Object(cells.collect())
}
