//! One change of one taxpayer, and its reversal.

use kuraka_domain::Ruc;

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
        /// The rows that only the previous edition has.
        removed: Vec<Row>,
        /// The rows that only the resulting edition has.
        added: Vec<Row>,
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

impl Change {
    /// What became of the taxpayer from the resulting edition back to the previous one.
    pub(super) fn reversed(self) -> Self {
        let swap = |FieldChange { field, before, after }| FieldChange { field, before: after, after: before };
        let kind = match self.kind {
            ChangeKind::New { rows } => ChangeKind::Gone { rows },
            ChangeKind::Gone { rows } => ChangeKind::New { rows },
            ChangeKind::Changed { fields } => ChangeKind::Changed { fields: fields.into_iter().map(swap).collect() },
            ChangeKind::Rows { removed, added } => ChangeKind::Rows { removed: added, added: removed },
        };
        Self { ruc: self.ruc, kind }
    }
}
