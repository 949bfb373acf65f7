//! Peru's calendar (UTC−05:00 all year): the day, and the month, the period of every plan.

use jiff::{SignedDuration, Timestamp};
use kuraka_domain::Date;
use kuraka_ports::Period;
pub use kuraka_ports::today;

const DAY: i64 = 86_400;

pub(crate) fn later(now: Timestamp, time: SignedDuration) -> Timestamp {
    now.saturating_add(time).unwrap_or(Timestamp::MAX)
}

pub(crate) fn earlier(now: Timestamp, time: SignedDuration) -> Timestamp {
    now.saturating_sub(time).unwrap_or(Timestamp::MIN)
}

pub fn period(now: Timestamp) -> Period {
    let date = today(now);
    Period { year: date.year(), month: date.month() }
}

/// Reads a month, `YYYY-MM`.
pub fn parse_month(text: &str) -> Option<Period> {
    let first = Date::parse(&format!("{text}-01")).ok()?;
    Some(Period { year: first.year(), month: first.month() })
}

pub fn days_of(period: Period) -> (Date, Date) {
    let first = |period: Period| Date::new(period.year, period.month, 1).unwrap_or(Date::MAX);
    let last = Date::from_days_since_epoch(first(next(period)).days_since_epoch() - 1);
    (first(period), last.unwrap_or(Date::MAX))
}

/// In whole seconds.
pub fn seconds_in(period: Period) -> u64 {
    (start_of(next(period)) - start_of(period)).unsigned_abs()
}

/// Seconds to the next period, rounded up so that a caller that waits is not early.
pub fn seconds_left(now: Timestamp) -> u64 {
    let left_millis = start_of(next(period(now))) * 1000 - now.as_millisecond();
    left_millis.max(1).unsigned_abs().div_ceil(1000)
}

pub fn next(period: Period) -> Period {
    match period {
        Period { year, month: 12 } => Period { year: year + 1, month: 1 },
        Period { year, month } => Period { year, month: month + 1 },
    }
}

/// Tomorrow at 7.
pub fn next_morning(now: Timestamp) -> Timestamp {
    let tomorrow = i64::from(today(now).days_since_epoch()) + 1;
    Timestamp::from_second(tomorrow * DAY + Date::PERU_BEHIND_UTC + 7 * 3_600).unwrap_or(Timestamp::MAX)
}

/// Seconds since the epoch at which a period starts.
fn start_of(period: Period) -> i64 {
    let first = Date::new(period.year, period.month, 1).unwrap_or(Date::MAX);
    i64::from(first.days_since_epoch()) * DAY + Date::PERU_BEHIND_UTC
}
