//! Dates of other libraries are the same days.

use kuraka_domain::{Date, DateError};

/// Days of every month and of leap years, and both ends of the calendar.
fn days() -> impl Iterator<Item = Date> {
    let range = Date::MIN.days_since_epoch()..=Date::MAX.days_since_epoch();
    range.step_by(97).filter_map(Date::from_days_since_epoch).chain([Date::MAX])
}

#[cfg(feature = "jiff")]
#[test]
fn a_date_of_jiff_is_the_same_day() {
    for day in days() {
        let converted = jiff::civil::Date::from(day);
        assert_eq!(converted.to_string(), day.to_string());
        assert_eq!(Date::try_from(converted), Ok(day));
    }
    for outside in [jiff::civil::date(0, 12, 31), jiff::civil::Date::MIN] {
        assert_eq!(Date::try_from(outside), Err(DateError::OutOfRange));
    }
}

#[cfg(feature = "chrono")]
#[test]
fn a_date_of_chrono_is_the_same_day() {
    for day in days() {
        let converted = chrono::NaiveDate::from(day);
        assert_eq!(converted.to_string(), day.to_string());
        assert_eq!(Date::try_from(converted), Ok(day));
    }
    let year_10000 = chrono::NaiveDate::from(Date::MAX).succ_opt().expect("chrono has it");
    for outside in [year_10000, chrono::NaiveDate::MIN, chrono::NaiveDate::MAX] {
        assert_eq!(Date::try_from(outside), Err(DateError::OutOfRange));
    }
    assert_eq!(DateError::OutOfRange.to_string(), "a date is in a year from 1 to 9999");
}
