//! When an edition is overdue.

use jiff::Timestamp;
use kuraka_ports::{Edition, EditionOrigin};

use crate::fakes::edition;

#[test]
fn an_edition_is_overdue_from_the_day_after_its_last_and_before_its_own() {
    let overdue = |at: &str, limit_days| edition("2026-11-20-00000000").overdue(at.parse().unwrap(), limit_days);
    for (at, limit_days, expected) in [
        ("2026-11-27T12:00:00Z", Some(7), None),
        ("2026-11-28T12:00:00Z", Some(7), Some(8)),
        // A day begins at midnight in Peru.
        ("2026-11-28T04:59:59Z", Some(7), None),
        ("2026-11-28T05:00:00Z", Some(7), Some(8)),
        ("2026-11-20T05:00:00Z", Some(7), None),
        ("2026-11-20T04:59:59Z", Some(7), Some(-1)),
        ("1926-11-20T05:00:00Z", Some(u32::MAX), Some(-36_525)),
        ("2126-11-28T05:00:00Z", None, None),
        ("1926-11-28T05:00:00Z", None, None),
    ] {
        assert_eq!(overdue(at, limit_days), expected, "{at} {limit_days:?}");
    }
}

#[test]
fn a_sample_never_ages() {
    let sample = Edition { origin: EditionOrigin::Sample, ..edition("2026-11-20-00000000") };
    assert_eq!(sample.overdue(Timestamp::MAX, Some(0)), None);
    assert!(edition("2026-11-20-00000000").overdue(Timestamp::MAX, Some(0)).is_some());
}
