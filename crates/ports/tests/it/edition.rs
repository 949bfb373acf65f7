//! How old an edition is.

use jiff::Timestamp;
use kuraka_ports::{Edition, EditionOrigin};

use crate::fakes::edition;

/// An edition of 20 November 2026, and an instant.
fn overdue(at: &str, limit_days: impl Into<Option<u32>>) -> Option<i32> {
    edition("2026-11-20-00000000").overdue(at.parse::<Timestamp>().unwrap(), limit_days.into())
}

#[test]
fn an_edition_is_overdue_from_the_day_after_its_last() {
    assert_eq!(overdue("2026-11-27T12:00:00Z", 7), None);
    assert_eq!(overdue("2026-11-28T12:00:00Z", 7), Some(8));
}

#[test]
fn its_days_begin_at_midnight_in_peru() {
    assert_eq!(overdue("2026-11-28T04:59:59Z", 7), None);
    assert_eq!(overdue("2026-11-28T05:00:00Z", 7), Some(8));
}

#[test]
fn without_a_limit_and_in_the_future_nothing_is_overdue() {
    assert_eq!(overdue("2126-11-28T05:00:00Z", None), None);
    assert_eq!(overdue("1926-11-28T05:00:00Z", 0), None);
}

#[test]
fn a_sample_never_ages() {
    let sample = Edition { origin: EditionOrigin::Sample, ..edition("2026-11-20-00000000") };
    assert_eq!(sample.overdue(Timestamp::MAX, Some(0)), None);
    assert!(edition("2026-11-20-00000000").overdue(Timestamp::MAX, Some(0)).is_some());
}
