//! Peru's calendar: the day it is there, and the month that is every plan's period. Peru is at UTC−05:00 all year.

use jiff::Timestamp;
use jiff::tz::Offset;
use kuraka_domain::Date;
use kuraka_ports::Period;

const PERU: Offset = Offset::constant(-5);
/// Stands for a day outside the years 1 to 9999: a clock gone mad.
const EPOCH: Date = match Date::new(1970, 1, 1) {
    Ok(date) => date,
    Err(_) => unreachable!(),
};

/// The day it is in Peru.
#[must_use]
pub fn today(now: Timestamp) -> Date {
    let date = PERU.to_datetime(now).date();
    Date::new(date.year().unsigned_abs(), date.month().unsigned_abs(), date.day().unsigned_abs()).unwrap_or(EPOCH)
}

/// The month it is in Peru.
#[must_use]
pub fn period(now: Timestamp) -> Period {
    let date = today(now);
    Period { year: date.year(), month: date.month() }
}

/// Whole seconds of a period.
#[must_use]
pub fn seconds_in(period: Period) -> u64 {
    (start_of(next(period)) - start_of(period)).unsigned_abs()
}

/// Whole seconds from now to the start of the next period, rounded up so that a patient caller is never early.
#[must_use]
pub fn seconds_left(now: Timestamp) -> u64 {
    let left_millis = start_of(next(period(now))) * 1000 - now.as_millisecond();
    left_millis.max(1).unsigned_abs().div_ceil(1000)
}

fn next(period: Period) -> Period {
    match period {
        Period { year, month: 12 } => Period { year: year + 1, month: 1 },
        Period { year, month } => Period { year, month: month + 1 },
    }
}

/// Seconds since the epoch at which a period starts.
fn start_of(period: Period) -> i64 {
    let first = Date::new(period.year, period.month, 1).unwrap_or(EPOCH);
    i64::from(first.days_since_epoch()) * 86_400 - i64::from(PERU.seconds())
}
