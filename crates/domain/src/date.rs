//! A calendar date without time or zone.
//!
//! A date is written `YYYY-MM-DD` ([`Date::parse`], `Display`) or, as SUNAT writes it, `DD/MM/YYYY`
//! ([`Date::parse_dmy`], [`Date::dmy`]): ASCII digits, zero-padded, nothing trimmed. The module reads no clock.
//!
//! ```
//! use kuraka_domain::{Date, DateError};
//!
//! let day = Date::parse("2024-02-29")?;
//! assert_eq!(day, Date::parse_dmy("29/02/2024")?);
//! assert_eq!(day.dmy().to_string(), "29/02/2024");
//! assert_eq!(Date::parse("2023-02-29"), Err(DateError::NoSuchDay { year: 2023, month: 2, day: 29 }));
//! assert_eq!(Date::parse("2024-2-29"), Err(DateError::Form { expected: "YYYY-MM-DD" }));
//! # Ok::<(), DateError>(())
//! ```

#[cfg(any(feature = "chrono", feature = "jiff"))]
mod conversions;

use core::fmt;

use crate::text_value::{error_texts, text_value};

/// An existing day of the Gregorian calendar, years 1 to 9999.
// One number, because histories compare many dates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(u32);

/// Why a text or three numbers are not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DateError {
    /// The text is not in the expected form.
    Form {
        /// The expected form.
        expected: &'static str,
    },
    /// The form is right, but the calendar has no such day.
    NoSuchDay {
        /// Year found.
        year: u16,
        /// Month found.
        month: u8,
        /// Day found.
        day: u8,
    },
    /// The year of another library's date is not from 1 to 9999.
    OutOfRange,
}

error_texts!(DateError {
    Self::Form { expected } => "a date is written {expected}";
    Self::NoSuchDay { year, month, day } => "there is no day {year:04}-{month:02}-{day:02}";
    Self::OutOfRange => "a date is in a year from 1 to 9999";
});

/// A date that prints as SUNAT writes it, `DD/MM/YYYY`.
#[derive(Clone, Copy, Debug)]
pub struct Dmy(Date);

/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i32 = 719_468;
/// Days in the calendar's full cycle of 400 years.
const ERA: i32 = 146_097;

impl Date {
    /// The earliest date, 0001-01-01.
    pub const MIN: Self = Self::from_ymd(1, 1, 1);
    /// The latest date, 9999-12-31.
    pub const MAX: Self = Self::from_ymd(9999, 12, 31);

    /// Builds a date from its three numbers.
    ///
    /// # Errors
    /// [`DateError::NoSuchDay`].
    pub const fn new(year: u16, month: u8, day: u8) -> Result<Self, DateError> {
        if year == 0 || year > 9999 || month == 0 || month > 12 || day == 0 || day > days_in(year, month) {
            return Err(DateError::NoSuchDay { year, month, day });
        }
        Ok(Self::from_ymd(year, month, day))
    }

    const fn from_ymd(year: u16, month: u8, day: u8) -> Self {
        Self((year as u32) << 16 | (month as u32) << 8 | day as u32)
    }

    /// Reads `YYYY-MM-DD`.
    ///
    /// # Errors
    /// [`DateError`].
    pub fn parse(text: &str) -> Result<Self, DateError> {
        const FORM: DateError = DateError::Form { expected: "YYYY-MM-DD" };
        let &[a, b, c, d, b'-', e, f, b'-', g, h] = text.as_bytes() else { return Err(FORM) };
        Self::from_digits([a, b, c, d], [e, f], [g, h], FORM)
    }

    /// Reads `DD/MM/YYYY`.
    ///
    /// # Errors
    /// [`DateError`].
    pub fn parse_dmy(text: &str) -> Result<Self, DateError> {
        const FORM: DateError = DateError::Form { expected: "DD/MM/YYYY" };
        let &[g, h, b'/', e, f, b'/', a, b, c, d] = text.as_bytes() else { return Err(FORM) };
        Self::from_digits([a, b, c, d], [e, f], [g, h], FORM)
    }

    fn from_digits(year: [u8; 4], month: [u8; 2], day: [u8; 2], form: DateError) -> Result<Self, DateError> {
        match (number(&year), number(&month), number(&day)) {
            (Some(year), Some(month), Some(day)) => Self::new(year, month as u8, day as u8),
            _ => Err(form),
        }
    }

    /// Year, 1 to 9999.
    #[must_use]
    pub const fn year(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// Month, 1 to 12.
    #[must_use]
    pub const fn month(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// Day of the month, 1 to 31.
    #[must_use]
    pub const fn day(self) -> u8 {
        self.0 as u8
    }

    /// The date as `DD/MM/YYYY`.
    #[must_use]
    pub const fn dmy(self) -> Dmy {
        Dmy(self)
    }

    /// Days since 1970-01-01; negative before.
    #[must_use]
    pub const fn days_since_epoch(self) -> i32 {
        // Years begin in March here, so that the leap day is the last day.
        let year = self.year() as i32 - (self.month() <= 2) as i32;
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let month_from_march = (self.month() as i32 + 9) % 12;
        let day_of_year = (153 * month_from_march + 2) / 5 + self.day() as i32 - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * ERA + day_of_era - EPOCH
    }

    /// Whether it is a Saturday or a Sunday.
    #[must_use]
    pub const fn is_weekend(self) -> bool {
        // 1970-01-01 was a Thursday.
        (self.days_since_epoch() + 3).rem_euclid(7) >= 5
    }

    /// Seconds by which Peru is behind UTC, all year.
    pub const PERU_BEHIND_UTC: i64 = 5 * 3_600;

    /// The date in Peru (UTC−05:00 all year) at a Unix time in seconds; `None` outside years 1 to 9999.
    ///
    /// ```
    /// # use kuraka_domain::Date;
    /// let midnight_in_lima = 1_763_701_200; // 2025-11-21T05:00:00Z
    /// assert_eq!(Date::in_peru(midnight_in_lima), Date::new(2025, 11, 21).ok());
    /// assert_eq!(Date::in_peru(midnight_in_lima - 1), Date::new(2025, 11, 20).ok());
    /// ```
    #[must_use]
    pub const fn in_peru(unix_seconds: i64) -> Option<Self> {
        let days = unix_seconds.saturating_sub(Self::PERU_BEHIND_UTC).div_euclid(86_400);
        if days < i32::MIN as i64 || days > i32::MAX as i64 {
            return None;
        }
        Self::from_days_since_epoch(days as i32)
    }

    /// The date this many days after 1970-01-01 (before, if negative); `None` outside years 1 to 9999.
    ///
    /// ```
    /// # use kuraka_domain::Date;
    /// let day = Date::from_days_since_epoch(20_000);
    /// assert_eq!(day, Date::new(2024, 10, 4).ok());
    /// ```
    #[must_use]
    pub const fn from_days_since_epoch(days: i32) -> Option<Self> {
        if days < Self::MIN.days_since_epoch() || days > Self::MAX.days_since_epoch() {
            return None;
        }
        let era = (days + EPOCH).div_euclid(ERA);
        let day_of_era = (days + EPOCH).rem_euclid(ERA);
        // Corrects for leap days.
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = (month_from_march + 2) % 12 + 1;
        let year = era * 400 + year_of_era + (month <= 2) as i32;
        Some(Self::from_ymd(year as u16, month as u8, day as u8))
    }
}

/// `None` if a byte is not a digit.
fn number(digits: &[u8]) -> Option<u16> {
    digits.iter().try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u16::from(byte - b'0')))
}

const fn days_in(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `format!` takes ten times as long, and an answer has many dates.
        let digit = |value: u16| b'0' + (value % 10) as u8;
        let (year, month, day) = (self.year(), u16::from(self.month()), u16::from(self.day()));
        let [y3, y2, y1, y0] = [year / 1000, year / 100, year / 10, year].map(digit);
        let [m1, m0, d1, d0] = [month / 10, month, day / 10, day].map(digit);
        let text = [y3, y2, y1, y0, b'-', m1, m0, b'-', d1, d0];
        f.write_str(core::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Dmy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}/{:02}/{:04}", self.0.day(), self.0.month(), self.0.year())
    }
}

text_value!(Date, DateError, Self::parse, "a date YYYY-MM-DD");
