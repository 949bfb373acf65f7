//! A clock that follows tokio's time, which a test may have paused.

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

use crate::Clock;

#[derive(Clone, Copy, Debug)]
pub struct TokioClock {
    started: Instant,
    then: Timestamp,
}

impl TokioClock {
    pub fn at(now: Timestamp) -> Self {
        Self { started: Instant::now(), then: now }
    }
}

impl Clock for TokioClock {
    fn now(&self) -> Timestamp {
        self.then.saturating_add(self.monotonic()).unwrap_or(Timestamp::MAX)
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}
