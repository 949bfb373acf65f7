//! The day on which a voucher was issued, which is not in the future.
//!
//! The caller passes today's date, which for vouchers is the date in Peru. This module does not limit how old a voucher
//! may be.

use std::fmt;

use thiserror::Error;

use crate::{Date, DateError};

/// A date that was not in the future when it was read. It is printed as `YYYY-MM-DD`.
///
/// It has no `FromStr` and no `Deserialize`, because they could not know today's date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IssueDate(Date);

/// Why a date is not a day of issue.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IssueDateError {
    /// The text is not a date.
    #[error(transparent)]
    Date(#[from] DateError),
    /// The date is later than today.
    #[error("a voucher is not issued in the future, {date} is after {today}")]
    InFuture {
        /// The refused date.
        date: Date,
        /// Today's date, as the caller passed it.
        today: Date,
    },
}

impl IssueDate {
    /// Accepts a date that is not after `today`.
    ///
    /// # Errors
    /// [`IssueDateError::InFuture`].
    pub fn new(date: Date, today: Date) -> Result<Self, IssueDateError> {
        if date > today { Err(IssueDateError::InFuture { date, today }) } else { Ok(Self(date)) }
    }

    /// Reads `YYYY-MM-DD`.
    ///
    /// # Errors
    /// [`IssueDateError`].
    pub fn parse(text: &str, today: Date) -> Result<Self, IssueDateError> {
        Self::new(Date::parse(text)?, today)
    }

    /// The day of issue as a plain date.
    #[must_use]
    pub const fn date(self) -> Date {
        self.0
    }

    /// The date as SUNAT's validation service expects it, `DD/MM/YYYY`.
    #[must_use]
    pub fn dmy(self) -> impl fmt::Display {
        self.0.dmy()
    }
}

impl fmt::Display for IssueDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(feature = "serde")]
crate::serde_text::to_text!(IssueDate);
