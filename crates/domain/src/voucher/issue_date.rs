//! The day on which a voucher was issued. The caller passes today's date in Peru; no age is too high.

use core::fmt;

use crate::Date;
use crate::date::Dmy;
use crate::text_value::{error_texts, serialize_text};

/// A date that was not in the future when it was checked, printed as `YYYY-MM-DD`. It has no `parse` and no
/// `Deserialize`, which could not know today's date.
///
/// ```
/// use kuraka_domain::{Date, IssueDate};
///
/// let today: Date = "2025-10-08".parse()?;
/// let issued = IssueDate::new("2025-10-07".parse()?, today)?;
/// assert_eq!(issued.dmy().to_string(), "07/10/2025");
/// assert!(IssueDate::new("2025-10-09".parse()?, today).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IssueDate(Date);

/// The date is later than today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IssueDateError {
    /// The refused date.
    pub date: Date,
    /// Today's date, as the caller passed it.
    pub today: Date,
}

error_texts!(IssueDateError {
    Self { date, today } => "a voucher is not issued in the future, {date} is after {today}";
});

impl IssueDate {
    /// # Errors
    /// [`IssueDateError`].
    pub fn new(date: Date, today: Date) -> Result<Self, IssueDateError> {
        if date > today { Err(IssueDateError { date, today }) } else { Ok(Self(date)) }
    }

    /// The day of issue as a plain date.
    #[must_use]
    pub const fn date(self) -> Date {
        self.0
    }

    /// `DD/MM/YYYY`, as SUNAT's validation service expects it.
    #[must_use]
    pub const fn dmy(self) -> Dmy {
        self.0.dmy()
    }
}

impl fmt::Display for IssueDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

serialize_text!(IssueDate);
