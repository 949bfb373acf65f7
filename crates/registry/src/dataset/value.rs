//! One typed value of a row.

use kuraka_domain::{Date, Ubigeo};

use super::table::Entry;

/// A value, which borrows from the line that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// The file has none.
    Absent,
    /// A text without blanks at its ends. In a column with a table: a wording that the table lacks.
    Text(&'a str),
    /// A day; for a month, its first.
    Date(Date),
    /// A number.
    Integer(u32),
    /// A district.
    Ubigeo(Ubigeo),
    /// A value of the column's table.
    Listed(&'static Entry),
}
