//! A calendar date without time or zone, `YYYY-MM-DD`.
//!
//! This module refuses to know what day it is today: that comes from the caller.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A real day of the Gregorian calendar, years 1 to 9999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// Why a text or three numbers are not a date.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DateError {
    /// The text has another form than the one asked for.
    #[error("a date is written {expected}")]
    Form {
        /// The form asked for.
        expected: &'static str,
    },
    /// The form holds, but there is no such day.
    #[error("there is no day {year:04}-{month:02}-{day:02}")]
    NoSuchDay {
        /// Year found.
        year: u16,
        /// Month found.
        month: u8,
        /// Day found.
        day: u8,
    },
}

impl Date {
    /// The date of these numbers.
    ///
    /// # Errors
    /// [`DateError::NoSuchDay`].
    pub const fn new(year: u16, month: u8, day: u8) -> Result<Self, DateError> {
        if year == 0 || year > 9999 || month == 0 || month > 12 || day == 0 || day > days_in(year, month) {
            return Err(DateError::NoSuchDay { year, month, day });
        }
        Ok(Self { year, month, day })
    }

    /// Reads `YYYY-MM-DD`.
    ///
    /// # Errors
    /// [`DateError`].
    pub fn parse(text: &str) -> Result<Self, DateError> {
        const FORM: DateError = DateError::Form { expected: "YYYY-MM-DD" };
        let &[a, b, c, d, b'-', e, f, b'-', g, h] = text.as_bytes() else { return Err(FORM) };
        let number = |digits: &[u8]| {
            digits.iter().try_fold(0_u16, |sum, byte| {
                byte.is_ascii_digit().then(|| sum * 10 + u16::from(byte - b'0')).ok_or(FORM)
            })
        };
        Self::new(number(&[a, b, c, d])?, number(&[e, f])? as u8, number(&[g, h])? as u8)
    }

    /// Year, 1 to 9999.
    #[must_use]
    pub const fn year(self) -> u16 {
        self.year
    }

    /// Month, 1 to 12.
    #[must_use]
    pub const fn month(self) -> u8 {
        self.month
    }

    /// Day of the month, 1 to 31.
    #[must_use]
    pub const fn day(self) -> u8 {
        self.day
    }

    /// Days since 1970-01-01; negative before.
    #[must_use]
    pub const fn days_since_epoch(self) -> i32 {
        // Days of whole 400-year cycles, counted from March so that the leap day is the year's last.
        let year = self.year as i32 - (self.month <= 2) as i32;
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month_from_march = (self.month as i32 + 9) % 12;
        let day_of_year = (153 * month_from_march + 2) / 5 + self.day as i32 - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + day_of_era - 719_468
    }
}

const fn days_in(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        Self::parse(text)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Date {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Date {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}
