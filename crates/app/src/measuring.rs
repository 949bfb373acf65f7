//! Availability and times of operations and sources over 90 days, as the servers measured them in minutes. No call waits
//! for it.

mod history;
mod recorder;

pub use history::{History, ServiceDay, ServiceReport};
pub use recorder::Recorder;

/// Days of the report, today included.
pub const DAYS_MEASURED: i32 = 90;

const MINUTES: i64 = 60;

/// Minutes since 1970-01-01T00:00:00Z.
fn minute_of(now: jiff::Timestamp) -> i64 {
    now.as_second().div_euclid(60)
}
