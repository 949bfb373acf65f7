//! The plan's rate: a leaky bucket (GCRA) on monotonic time, one per account.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::{Clock as GovernorClock, Reference};
use governor::middleware::StateInformationMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use kuraka_ports::Clock;

use crate::Plan;

/// The state of an account's rate after a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateState {
    /// Calls that may still be made at once.
    pub remaining: u32,
    /// Whole seconds until the burst is full again.
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
    limiter: RateLimiter<NotKeyed, InMemoryState, Monotonic, StateInformationMiddleware>,
    clock: Monotonic,
    per_second: u32,
    burst: u32,
}

impl Rate {
    /// A full bucket for this plan.
    #[must_use]
    pub fn new(plan: &Plan, clock: Arc<dyn Clock>) -> Self {
        let clock = Monotonic(clock);
        let quota = Quota::per_second(plan.rate).allow_burst(plan.burst);
        let limiter = RateLimiter::direct_with_clock(quota, clock.clone()).with_middleware();
        Self { limiter, clock, per_second: plan.rate.get(), burst: plan.burst.get() }
    }

    /// Takes one call out of the bucket.
    ///
    /// # Errors
    /// [`TooFast`]; nothing is taken then.
    pub fn take(&self) -> Result<RateState, TooFast> {
        match self.limiter.check() {
            Ok(snapshot) => Ok(self.state(snapshot.remaining_burst_capacity())),
            Err(early) => {
                let wait = early.wait_time_from(self.clock.now());
                Err(TooFast { retry_after: whole_seconds(wait).max(1) })
            }
        }
    }

    /// The bucket with nothing left in it, as a refused caller is told.
    #[must_use]
    pub fn empty(&self) -> RateState {
        self.state(0)
    }

    fn state(&self, remaining: u32) -> RateState {
        let missing = self.burst.saturating_sub(remaining);
        RateState { remaining, full_in: u64::from(missing.div_ceil(self.per_second)) }
    }
}

fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// The clock port, as the limiter wants it.
#[derive(Clone)]
struct Monotonic(Arc<dyn Clock>);

impl GovernorClock for Monotonic {
    type Instant = Elapsed;

    fn now(&self) -> Elapsed {
        Elapsed(self.0.monotonic())
    }
}

impl fmt::Debug for Monotonic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Monotonic")
    }
}

/// A point of monotonic time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Elapsed(Duration);

impl std::ops::Add<governor::nanos::Nanos> for Elapsed {
    type Output = Self;

    fn add(self, nanos: governor::nanos::Nanos) -> Self {
        Self(self.0 + Duration::from(nanos))
    }
}

impl Reference for Elapsed {
    fn duration_since(&self, earlier: Self) -> governor::nanos::Nanos {
        self.0.saturating_sub(earlier.0).into()
    }

    fn saturating_sub(&self, duration: governor::nanos::Nanos) -> Self {
        Self(self.0.saturating_sub(duration.into()))
    }
}
