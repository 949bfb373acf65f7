//! The day a voucher was issued: a real day that is not in the future.
//!
//! What day it is today is the caller's knowledge, and for vouchers it is Peru's day.
//! How far back a voucher may lie is the tax authority's business.

use std::fmt;

use thiserror::Error;

use crate::{Date, DateError};

/// A day up to the one that was today when it was read. Printed `YYYY-MM-DD`.
///
/// It has no `FromStr` and no `Deserialize`, because a text alone does not say whether it is in the future.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IssueDate(Date);

/// Why a date is not a day of issue.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IssueDateError {
    /// It is no date at all.
    #[error(transparent)]
    Date(#[from] DateError),
    /// It is later than today.
    #[error("a voucher is not issued in the future, {date} is after {today}")]
    InFuture {
        /// The date found.
        date: Date,
        /// The day it was read on.
        today: Date,
    },
}

impl IssueDate {
    /// The day of issue, if it is not after `today`.
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

    /// The date.
    #[must_use]
    pub const fn date(self) -> Date {
        self.0
    }

    /// The date as the tax authority's validation service wants it, `DD/MM/YYYY`.
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
