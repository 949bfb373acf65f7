//! The plan's rate: a leaky bucket (GCRA) on monotonic time, one per account.
//!
//! All that is kept is the instant at which the bucket will be full again, so that a call is one atomic step, and
//! where a caller stands can be told without taking anything: refusals tell it too.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use kuraka_ports::Clock;

use crate::Plan;

const SECOND: u64 = 1_000_000_000;

/// The state of an account's rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateState {
    /// Calls that may still be made at once.
    pub remaining: u32,
    /// Whole seconds until the burst is full again, rounded up.
    pub full_in: u64,
}

/// A call came too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFast {
    /// After this long, rounded up to whole seconds, a call is admitted.
    pub retry_after: u64,
}

/// The rate of one account.
pub struct Rate {
    clock: Arc<dyn Clock>,
    /// Nanoseconds in which the bucket gains one call.
    step: u64,
    /// Nanoseconds in which an empty bucket is full.
    depth: u64,
    /// Monotonic nanoseconds at which the bucket is full, if nothing more is taken.
    full_at: AtomicU64,
}

impl Rate {
    /// A full bucket for this plan.
    #[must_use]
    pub fn new(plan: &Plan, clock: Arc<dyn Clock>) -> Self {
        let step = SECOND / u64::from(plan.rate.get());
        Self { clock, step, depth: step * u64::from(plan.burst.get()), full_at: AtomicU64::new(0) }
    }

    /// Takes one call out of the bucket.
    ///
    /// # Errors
    /// [`TooFast`]; nothing is taken then.
    pub fn take(&self) -> Result<RateState, TooFast> {
        let now = self.now();
        let taken = |full_at: u64| full_at.max(now) + self.step;
        let take = |full_at| Some(taken(full_at)).filter(|later| *later <= now + self.depth);
        match self.full_at.fetch_update(Ordering::AcqRel, Ordering::Acquire, take) {
            Ok(before) => Ok(self.state(now, taken(before))),
            Err(full_at) => {
                let wait = taken(full_at) - self.depth - now;
                Err(TooFast { retry_after: wait.div_ceil(SECOND) })
            }
        }
    }

    /// The state now; nothing is taken.
    #[must_use]
    pub fn peek(&self) -> RateState {
        self.state(self.now(), self.full_at.load(Ordering::Acquire))
    }

    fn state(&self, now: u64, full_at: u64) -> RateState {
        let missing = full_at.saturating_sub(now);
        let remaining = self.depth.saturating_sub(missing) / self.step;
        RateState {
            // At most the burst, which is an u32.
            remaining: u32::try_from(remaining).unwrap_or(u32::MAX),
            full_in: missing.div_ceil(SECOND),
        }
    }

    fn now(&self) -> u64 {
        nanos(self.clock.monotonic())
    }
}

fn nanos(elapsed: Duration) -> u64 {
    // Half a thousand years of uptime fit.
    u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX / 2)
}
