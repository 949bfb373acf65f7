//! When an edition is overdue.

use jiff::Timestamp;
use kuraka_ports::{Edition, EditionOrigin};

use crate::fakes::edition;

/// Whether an edition of 20 November 2026 is overdue at `at`.
fn overdue(at: &str, limit_days: impl Into<Option<u32>>) -> Option<i32> {
    edition("2026-11-20-00000000").overdue(at.parse::<Timestamp>().unwrap(), limit_days.into())
}

#[test]
fn an_edition_is_overdue_from_the_day_after_its_last() {
    assert_eq!(overdue("2026-11-27T12:00:00Z", 7), None);
    assert_eq!(overdue("2026-11-28T12:00:00Z", 7), Some(8));
}

#[test]
fn the_age_counts_days_from_midnight_in_peru() {
    assert_eq!(overdue("2026-11-28T04:59:59Z", 7), None);
    assert_eq!(overdue("2026-11-28T05:00:00Z", 7), Some(8));
}

#[test]
fn an_edition_without_a_limit_is_never_overdue() {
    assert_eq!(overdue("2126-11-28T05:00:00Z", None), None);
    assert_eq!(overdue("1926-11-28T05:00:00Z", None), None);
}

#[test]
fn an_edition_of_a_day_that_has_not_come_is_overdue() {
    assert_eq!(overdue("2026-11-20T05:00:00Z", 7), None);
    assert_eq!(overdue("2026-11-20T04:59:59Z", 7), Some(-1));
    assert_eq!(overdue("1926-11-20T05:00:00Z", u32::MAX), Some(-36_525));
}

#[test]
fn a_sample_never_ages() {
    let sample = Edition { origin: EditionOrigin::Sample, ..edition("2026-11-20-00000000") };
    assert_eq!(sample.overdue(Timestamp::MAX, Some(0)), None);
    assert!(edition("2026-11-20-00000000").overdue(Timestamp::MAX, Some(0)).is_some());
}
