//! The clock as a parameter, so that tests can set it.

use std::time::Duration;

use jiff::Timestamp;

/// A source of time. Safe to call at any rate; never blocks.
pub trait Clock: Send + Sync + 'static {
    /// May jump either way.
    fn now(&self) -> Timestamp;

    /// Time since a fixed instant of this process. Never decreases.
    fn monotonic(&self) -> Duration;
}
