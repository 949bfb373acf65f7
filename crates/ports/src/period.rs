//! The calendar month in which queries are counted.

use std::fmt;

/// At UTC−05:00: the period of every plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period {
    /// 1 to 9999.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}
