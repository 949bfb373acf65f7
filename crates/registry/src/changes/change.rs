//! One change of one taxpayer, and its reversal.

use kuraka_domain::Ruc;
use thiserror::Error;

use crate::edition::{Cell, Row};

/// What became of one taxpayer from an edition to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The taxpayer.
    pub ruc: Ruc,
    /// What became of it.
    pub kind: ChangeKind,
}

/// What became of a taxpayer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The previous edition does not have it.
    New {
        /// Its rows in the resulting edition, in a dataset with any number of rows a taxpayer; else none.
        rows: Vec<Row>,
    },
    /// The resulting edition does not have it.
    Gone {
        /// Its rows in the previous edition.
        rows: Vec<Row>,
    },
    /// Fields of its only row have other values.
    Changed {
        /// These fields, in the order of the list's fields.
        fields: Vec<FieldChange>,
    },
    /// It has other rows, in a dataset with any number of rows a taxpayer.
    Rows {
        /// The rows of the previous edition, in order.
        before: Vec<Earlier>,
        /// The rows that the previous edition does not have, with their place in the resulting edition.
        added: Vec<(u32, Row)>,
    },
}

/// One field of a row, with another value than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// The field's place among the list's fields.
    pub field: usize,
    /// Its value in the previous edition.
    pub before: Cell,
    /// Its value in the resulting edition.
    pub after: Cell,
}

/// A row of the previous edition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// The resulting edition has it too, at this place.
    Kept(u32),
    /// The resulting edition does not have it.
    Removed(Row),
}

/// The rows are not those of the edition that the change leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the rows of {ruc} are not those that the change leads to")]
pub struct NotTheResult {
    /// The taxpayer.
    pub ruc: Ruc,
}

impl Change {
    /// The taxpayer's rows in the previous edition, given those in the resulting edition. A taxpayer without rows is not
    /// in an edition.
    ///
    /// # Errors
    /// [`NotTheResult`] if the rows contradict the change.
    pub fn undo(&self, after: Vec<Row>) -> Result<Vec<Row>, NotTheResult> {
        let before = match &self.kind {
            ChangeKind::New { .. } => (!after.is_empty()).then(Vec::new),
            ChangeKind::Gone { rows } => after.is_empty().then(|| rows.clone()),
            ChangeKind::Changed { fields } => fields_before(after, fields),
            ChangeKind::Rows { before, added } => rows_before(&after, before, added),
        };
        before.ok_or(NotTheResult { ruc: self.ruc })
    }
}

fn fields_before(mut rows: Vec<Row>, fields: &[FieldChange]) -> Option<Vec<Row>> {
    let [row] = rows.as_mut_slice() else { return None };
    for change in fields {
        let cell = row.get_mut(change.field).filter(|cell| **cell == change.after)?;
        cell.clone_from(&change.before);
    }
    Some(rows)
}

fn rows_before(after: &[Row], before: &[Earlier], added: &[(u32, Row)]) -> Option<Vec<Row>> {
    let is_added = |(place, row): &(u32, Row)| after.get(*place as usize) == Some(row);
    let kept = before.iter().filter(|earlier| matches!(earlier, Earlier::Kept(_))).count();
    (added.iter().all(is_added) && kept + added.len() == after.len()).then_some(())?;
    let row = |earlier: &Earlier| match earlier {
        Earlier::Kept(place) => after.get(*place as usize).cloned(),
        Earlier::Removed(row) => Some(row.clone()),
    };
    before.iter().map(row).collect()
}
