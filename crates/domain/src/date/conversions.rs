//! Conversions from and to `jiff` and `chrono`, whose calendars contain this one.

use super::{Date, DateError};

fn checked(year: i32, month: u32, day: u32) -> Result<Date, DateError> {
    match (u16::try_from(year), u8::try_from(month), u8::try_from(day)) {
        (Ok(year @ 1..=9999), Ok(month), Ok(day)) => Date::new(year, month, day),
        _ => Err(DateError::OutOfRange),
    }
}

#[cfg(feature = "jiff")]
impl From<Date> for jiff::civil::Date {
    fn from(date: Date) -> Self {
        // Never the default: jiff has every date from -9999 to 9999.
        Self::new(date.year() as i16, date.month() as i8, date.day() as i8).unwrap_or_default()
    }
}

#[cfg(feature = "jiff")]
impl TryFrom<jiff::civil::Date> for Date {
    type Error = DateError;

    fn try_from(date: jiff::civil::Date) -> Result<Self, DateError> {
        checked(date.year().into(), date.month().unsigned_abs().into(), date.day().unsigned_abs().into())
    }
}

#[cfg(feature = "chrono")]
impl From<Date> for chrono::NaiveDate {
    fn from(date: Date) -> Self {
        // Never the default: chrono has every date from 1 to 9999.
        Self::from_ymd_opt(date.year().into(), date.month().into(), date.day().into()).unwrap_or_default()
    }
}

#[cfg(feature = "chrono")]
impl TryFrom<chrono::NaiveDate> for Date {
    type Error = DateError;

    fn try_from(date: chrono::NaiveDate) -> Result<Self, DateError> {
        use chrono::Datelike;

        checked(date.year(), date.month(), date.day())
    }
}
