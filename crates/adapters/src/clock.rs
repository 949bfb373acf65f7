//! Clocks: the machine's, in the one place that asks the operating system what time it is, and one that follows
//! another's, for servers that must agree on when a month begins.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use kuraka_ports::Clock;

/// The clock of the machine.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    start: Instant,
}

#[allow(clippy::disallowed_methods, reason = "this is the clock that everything else is given")]
impl SystemClock {
    /// A clock whose monotonic hand starts at zero.
    #[must_use]
    pub fn start() -> Self {
        Self { start: Instant::now() }
    }
}

#[allow(clippy::disallowed_methods, reason = "this is the clock that everything else is given")]
impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn monotonic(&self) -> Duration {
        self.start.elapsed()
    }
}

/// A clock whose time of day is another's, as far as it was told, and whose monotonic hand is its own.
pub struct FollowingClock {
    own: Arc<dyn Clock>,
    /// Microseconds that the other is ahead.
    ahead: AtomicI64,
}

impl FollowingClock {
    /// A clock that shows the time of `own` until it is told another.
    #[must_use]
    pub fn new(own: Arc<dyn Clock>) -> Self {
        Self { own, ahead: AtomicI64::new(0) }
    }

    /// Follows a clock that showed `theirs` at some instant of the last `took`. Differences that the way alone may
    /// have made are left as they are: the time does not tremble.
    pub fn follow(&self, theirs: Timestamp, took: Duration) {
        let took = i64::try_from(took.as_micros()).unwrap_or(i64::MAX);
        let measured = theirs.as_microsecond() - (self.own.now().as_microsecond() - took / 2);
        if (measured - self.ahead.load(Ordering::Relaxed)).abs() > took / 2 + TREMOR {
            self.ahead.store(measured, Ordering::Relaxed);
        }
    }
}

/// Microseconds of difference that two clocks always have.
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
