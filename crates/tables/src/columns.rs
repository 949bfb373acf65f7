//! The columns of a list, and their choice.

use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(usize)]
pub enum ListColumn {
    /// Of a voucher, its issuer's.
    Ruc,
    Kind,
    Series,
    Number,
    /// The day of issue.
    Date,
    Total,
    /// SUNAT's registers have totals in soles, whatever this currency is.
    Currency,
    /// The first column of IGV.
    Igv,
    /// The owner's own code of the supplier.
    Code,
}

impl ListColumn {
    pub const ALL: [Self; COLUMNS] = [
        Self::Ruc,
        Self::Kind,
        Self::Series,
        Self::Number,
        Self::Date,
        Self::Total,
        Self::Currency,
        Self::Igv,
        Self::Code,
    ];
}

/// A column that is not read, because several can be it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsure {
    pub column: ListColumn,
    /// Their headings, or their numbers.
    pub found: Vec<String>,
}

pub(crate) const COLUMNS: usize = 9;

/// The position of each column in the file, in the order of [`ListColumn::ALL`]. Series and number may have the same.
pub(crate) type Positions = [Option<usize>; COLUMNS];

pub(crate) const RUC_ALONE: Positions = [Some(0), None, None, None, None, None, None, None, None];

pub(crate) fn position(positions: &Positions, column: ListColumn) -> Option<usize> {
    positions.get(column as usize).copied().flatten()
}

/// A printed voucher's total may be missing.
pub(crate) fn has_vouchers(positions: &Positions) -> bool {
    let needed = [ListColumn::Kind, ListColumn::Series, ListColumn::Number, ListColumn::Date];
    needed.iter().all(|column| position(positions, *column).is_some())
}

/// What a person chose about a table; the rest is recognised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    pub sheet: Option<String>,
    /// The number of the last row of headings; 0 = the table has none.
    pub heading: Option<u64>,
    /// The position of each chosen column from 0; `None` = the table does not have it.
    pub columns: BTreeMap<ListColumn, Option<usize>>,
    /// Whether a DNI in the column of the RUC is read as the RUC of its person.
    pub has_dnis: bool,
}
