//! Dates: both written forms, the calendar, day numbers since 1970.

use kuraka_domain::{Date, DateError};
use proptest::prelude::*;

fn date(year: u16, month: u8, day: u8) -> Date {
    Date::new(year, month, day).expect("a real day")
}

fn dates() -> impl Strategy<Value = Date> {
    (Date::MIN.days_since_epoch()..=Date::MAX.days_since_epoch())
        .prop_map(|days| Date::from_days_since_epoch(days).expect("within the calendar"))
}

#[test]
fn both_forms_give_the_same_date() {
    let day = date(2025, 10, 7);
    assert_eq!(Date::parse("2025-10-07"), Ok(day));
    assert_eq!(Date::parse_dmy("07/10/2025"), Ok(day));
    assert_eq!("2025-10-07".parse(), Ok(day));
    assert_eq!((day.to_string(), day.dmy().to_string()), ("2025-10-07".to_owned(), "07/10/2025".to_owned()));
    assert_eq!((day.year(), day.month(), day.day()), (2025, 10, 7));
}

#[test]
fn a_day_that_does_not_exist_is_rejected() {
    for (year, month, day) in [(2024, 0, 1), (2024, 13, 1), (2024, 1, 0), (2024, 4, 31), (2024, 12, 32), (0, 1, 1)] {
        let refused = Err(DateError::NoSuchDay { year, month, day });
        assert_eq!(Date::new(year, month, day), refused);
        assert_eq!(Date::parse(&format!("{year:04}-{month:02}-{day:02}")), refused);
        assert_eq!(Date::parse_dmy(&format!("{day:02}/{month:02}/{year:04}")), refused);
    }
    assert_eq!(Date::new(10_000, 1, 1), Err(DateError::NoSuchDay { year: 10_000, month: 1, day: 1 }));
    assert_eq!(Date::parse("2023-02-29").expect_err("no leap year").to_string(), "there is no day 2023-02-29");
}

#[test]
fn another_form_is_rejected_and_the_error_names_the_expected_form() {
    let iso = ["", "2025-1-07", "2025/10/07", "07-10-2025", "20251007", "2025-10-07T00:00", "2025-10-7 ", " 025-10-07"];
    for text in iso {
        assert_eq!(Date::parse(text), Err(DateError::Form { expected: "YYYY-MM-DD" }), "{text:?}");
    }
    for text in ["", "-", "7/10/2025", "07/10/25", "2025-10-07", "07-10-2025", "07/10/2025 ", "+7/10/2025"] {
        assert_eq!(Date::parse_dmy(text), Err(DateError::Form { expected: "DD/MM/YYYY" }), "{text:?}");
    }
    assert_eq!(Date::parse("x").expect_err("no date").to_string(), "a date is written YYYY-MM-DD");
}

#[test]
fn known_dates_have_known_day_numbers() {
    for (day, number) in [
        (date(1970, 1, 1), 0),
        (date(1969, 12, 31), -1),
        (date(2000, 2, 29), 11_016),
        (date(2000, 3, 1), 11_017),
        (date(2024, 10, 4), 20_000),
        (Date::MIN, -719_162),
        (Date::MAX, 2_932_896),
    ] {
        assert_eq!(day.days_since_epoch(), number);
        assert_eq!(Date::from_days_since_epoch(number), Some(day));
    }
}

#[test]
fn day_numbers_are_consecutive_over_the_whole_calendar() {
    let mut days = 0;
    let mut expected = Date::MIN.days_since_epoch();
    for year in 1..=9999 {
        for month in 1..=12 {
            for day in (1..=31).filter_map(|day| Date::new(year, month, day).ok()) {
                assert_eq!(day.days_since_epoch(), expected, "{day}");
                assert_eq!(Date::from_days_since_epoch(expected), Some(day));
                expected += 1;
                days += 1;
            }
        }
    }
    assert_eq!(days, 3_652_059);
}

#[test]
fn a_day_number_outside_the_calendar_has_no_date() {
    for days in [i32::MIN, Date::MIN.days_since_epoch() - 1, Date::MAX.days_since_epoch() + 1, i32::MAX] {
        assert_eq!(Date::from_days_since_epoch(days), None, "{days}");
    }
}

proptest! {
    #[test]
    fn a_printed_date_parses_to_the_same_value(day in dates()) {
        prop_assert_eq!(Date::parse(&day.to_string()), Ok(day));
        prop_assert_eq!(Date::parse_dmy(&day.dmy().to_string()), Ok(day));
    }

    #[test]
    fn dates_sort_by_time_and_like_their_texts(a in dates(), b in dates()) {
        prop_assert_eq!(a.cmp(&b), a.to_string().cmp(&b.to_string()));
        prop_assert_eq!(a.cmp(&b), a.days_since_epoch().cmp(&b.days_since_epoch()));
    }

    #[test]
    fn a_parsed_date_prints_the_same_text(text in "[0-9]{4}-[0-9]{2}-[0-9]{2}|.{0,11}") {
        if let Ok(day) = Date::parse(&text) {
            prop_assert_eq!(day.to_string(), text);
        }
    }
}

#[test]
fn weekends_are_saturdays_and_sundays() {
    let weekend = |text| Date::parse(text).expect(text).is_weekend();
    // Friday 4 September 2026 to Monday, and days before 1970.
    assert_eq!(["2026-09-04", "2026-09-05", "2026-09-06", "2026-09-07"].map(weekend), [false, true, true, false]);
    assert_eq!(["1969-12-27", "1969-12-28", "1969-12-29", "0001-01-01"].map(weekend), [true, true, false, false]);
}
