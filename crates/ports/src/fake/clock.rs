//! A clock that a test advances.

use std::sync::Mutex;
use std::time::Duration;

use jiff::Timestamp;

use super::lock;
use crate::Clock;

#[derive(Debug)]
pub struct ManualClock {
    hands: Mutex<ClockState>,
}

#[derive(Clone, Copy, Debug)]
struct ClockState {
    now: Timestamp,
    monotonic: Duration,
}

impl ManualClock {
    /// Monotonic time begins at zero.
    pub const fn at(now: Timestamp) -> Self {
        Self { hands: Mutex::new(ClockState { now, monotonic: Duration::ZERO }) }
    }

    /// Advances both times; the wall clock stops at its last instant.
    pub fn advance(&self, duration: Duration) {
        let mut hands = lock(&self.hands);
        hands.now = hands.now.saturating_add(duration).unwrap_or(Timestamp::MAX);
        hands.monotonic = hands.monotonic.saturating_add(duration);
    }

    /// Makes the wall clock jump; monotonic time stays as it is.
    pub fn set(&self, now: Timestamp) {
        lock(&self.hands).now = now;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        lock(&self.hands).now
    }

    fn monotonic(&self) -> Duration {
        lock(&self.hands).monotonic
    }
}
