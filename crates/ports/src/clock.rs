//! The clock as a parameter, so that tests can set it.

use std::time::Duration;

use jiff::Timestamp;
use kuraka_domain::Date;

/// A source of time. Safe to call at any rate; never blocks.
pub trait Clock: Send + Sync + 'static {
    /// May jump either way.
    fn now(&self) -> Timestamp;

    /// Time since a fixed instant of this process. Never decreases.
    fn monotonic(&self) -> Duration;
}

/// The day in Peru.
pub fn today(now: Timestamp) -> Date {
    // Timestamps exceed the calendar's range only by hours. Then every edition is old.
    Date::in_peru(now.as_second()).unwrap_or(Date::MAX)
}
