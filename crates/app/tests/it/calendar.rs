use jiff::Timestamp;
use kuraka_app::calendar::{seconds_in, seconds_left};
use kuraka_ports::Period;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn the_seconds_of_a_month_are_exact() {
    assert_eq!(seconds_in(Period { year: 2026, month: 11 }), 30 * 86_400);
    assert_eq!(seconds_in(Period { year: 2026, month: 12 }), 31 * 86_400);
    assert_eq!(seconds_in(Period { year: 2028, month: 2 }), 29 * 86_400);
}

#[test]
fn the_time_left_in_a_month_is_rounded_up() {
    assert_eq!(seconds_left(at("2026-12-01T04:59:59Z")), 1);
    assert_eq!(seconds_left(at("2026-12-01T04:59:59.001Z")), 1);
    assert_eq!(seconds_left(at("2026-12-01T04:59:58.999Z")), 2);
    assert_eq!(seconds_left(at("2026-12-01T05:00:00Z")), 31 * 86_400);
    assert_eq!(seconds_left(at("2027-01-01T04:59:00Z")), 60);
}
