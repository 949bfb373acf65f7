//! Two clocks: the machine's, and one that follows the store's, so that all servers agree on when a month begins. No
//! other module reads the system time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use kuraka_ports::Clock;

#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    start: Instant,
}

#[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given")]
impl SystemClock {
    /// A clock whose monotonic time starts at zero.
    pub fn start() -> Self {
        Self { start: Instant::now() }
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the clock that everything else is given")]
impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn monotonic(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Another clock's wall time with this machine's monotonic time.
pub struct FollowingClock {
    own: Arc<dyn Clock>,
    /// Microseconds by which the other clock is ahead.
    ahead: AtomicI64,
}

impl FollowingClock {
    /// Shows the time of `own` until [`FollowingClock::follow`] is called.
    pub fn new(own: Arc<dyn Clock>) -> Self {
        Self { own, ahead: AtomicI64::new(0) }
    }

    /// Adopts the time of a clock that showed `theirs` during the last `took`. Ignores a smaller difference, so that
    /// the time does not jump back and forth.
    pub fn follow(&self, theirs: Timestamp, took: Duration) {
        let took = i64::try_from(took.as_micros()).unwrap_or(i64::MAX);
        let measured = theirs.as_microsecond() - (self.own.now().as_microsecond() - took / 2);
        if (measured - self.ahead.load(Ordering::Relaxed)).abs() > took / 2 + TREMOR {
            self.ahead.store(measured, Ordering::Relaxed);
        }
    }
}

/// Microseconds by which any two clocks may differ.
const TREMOR: i64 = 5_000;

impl Clock for FollowingClock {
    fn now(&self) -> Timestamp {
        let own = self.own.now();
        Timestamp::from_microsecond(own.as_microsecond().saturating_add(self.ahead.load(Ordering::Relaxed)))
            .unwrap_or(own)
    }

    fn monotonic(&self) -> Duration {
        self.own.monotonic()
    }
}
