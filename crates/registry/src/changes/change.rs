//! One change of one taxpayer, and its reversal.

use kuraka_domain::{DomicileCondition, Ruc, TaxpayerStatus, TaxpayerSummary, Ubigeo};

use crate::edition::{Cell, Row};

/// A taxpayer's change from one edition to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub ruc: Ruc,
    pub kind: ChangeKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The previous edition lacks it.
    New {
        /// Its rows, in a dataset with many rows a taxpayer; else none.
        rows: Vec<Row>,
    },
    /// The resulting edition lacks it.
    Gone {
        /// Its rows in the previous edition.
        rows: Vec<Row>,
    },
    /// Fields of its only row have other values.
    Changed { fields: Vec<FieldChange> },
    /// It has other rows, in a dataset with many rows a taxpayer.
    Rows { removed: Vec<Row>, added: Vec<Row> },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// Its place among the list's fields.
    pub field: usize,
    pub before: Cell,
    pub after: Cell,
}

impl Change {
    /// The change from the resulting edition back to the previous one.
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

/// Sets a field of a summary to its published text; a field that summaries do not have is ignored.
pub fn set_field(summary: &mut TaxpayerSummary, field: &str, value: Cell) {
    let text = value.unwrap_or_default();
    match field {
        "nombre_o_razon_social" => summary.name = text,
        "estado" => summary.status = TaxpayerStatus::from_text(&text),
        "condicion" => summary.condition = DomicileCondition::from_text(&text),
        // Another program may have written the file.
        "direccion" | "ubigeo" if summary.ruc.is_personal() => {}
        "direccion" => summary.address = text,
        "ubigeo" => summary.ubigeo = Ubigeo::parse(&text).ok(),
        _ => {}
    }
}
