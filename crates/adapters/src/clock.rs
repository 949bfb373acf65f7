//! The machine's clock: the one place that asks the operating system what time it is.

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
