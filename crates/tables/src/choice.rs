//! What a person chooses about a table.

use crate::columns::{COLUMNS, ListColumn};

/// What a person chose about a table; the rest is recognised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    pub sheet: Option<String>,
    /// The number of the last row of headings; 0 = the table has none.
    pub heading: Option<u64>,
    /// The position of each chosen column from 0; `Some(None)` = the table does not have it. In the order of
    /// [`ListColumn::ALL`].
    pub columns: [Option<Option<usize>>; COLUMNS],
    /// Whether a DNI in the column of the RUC is read as the RUC of its person.
    pub has_dnis: bool,
}

impl Choice {
    /// The chosen position of a column; see [`Choice::columns`].
    pub(crate) fn column(&self, column: ListColumn) -> Option<Option<usize>> {
        self.columns.get(column as usize).copied().flatten()
    }
}
