//! A month as a small number.

use std::fmt;
use std::str::FromStr;

use kuraka_domain::{Date, DateError};
use serde::{Deserialize, Serialize};

/// Months take one byte until 2032. The first file is of August 2022.
const FIRST_YEAR: u16 = 2022;

/// The months since January 2022; its text is `YYYY-MM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Month(pub(super) u32);

impl Month {
    /// August 2022, the first that was published.
    pub const FIRST: Self = Self(7);

    /// `None` = before 2022.
    pub fn from_date(date: Date) -> Option<Self> {
        let years = date.year().checked_sub(FIRST_YEAR)?;
        Some(Self(u32::from(years) * 12 + u32::from(date.month()) - 1))
    }

    #[must_use]
    pub fn first_day(self) -> Date {
        let year = FIRST_YEAR.saturating_add((self.0 / 12) as u16);
        // A file's number may be of any size.
        Date::new(year, (self.0 % 12 + 1) as u8, 1).unwrap_or(Date::MAX)
    }

    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// `AAAAMM`, as files and their rows name it.
    #[must_use]
    pub fn compact(self) -> String {
        self.to_string().replace('-', "")
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let day = self.first_day();
        write!(f, "{:04}-{:02}", day.year(), day.month())
    }
}

impl FromStr for Month {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let date = Date::parse(&format!("{text}-01"))?;
        Self::from_date(date).ok_or(DateError::OutOfRange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_reads_what_it_writes() {
        for (text, compact) in [("2022-01", "202201"), ("2022-08", "202208"), ("2026-12", "202612")] {
            let month: Month = text.parse().unwrap();
            assert_eq!((month.to_string(), month.compact()), (text.to_owned(), compact.to_owned()));
            assert_eq!(Month::from_date(month.first_day()), Some(month));
        }
        assert_eq!(Month::FIRST.to_string(), "2022-08");
        assert_eq!("2026-12".parse::<Month>().unwrap().next().to_string(), "2027-01");
        for text in ["2021-12", "2026-13", "2026-1", "202601", "2026-01-01", ""] {
            assert!(text.parse::<Month>().is_err(), "{text}");
        }
    }
}
