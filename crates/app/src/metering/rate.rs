//! The plan's rate: a leaky bucket (GCRA) on monotonic time, one per account.
//!
//! The bucket is one number, the instant at which it is full. Taking a call is one atomic step, and a refused call
//! takes nothing. The state can be read without taking a call, which the crate `governor` cannot do. Servers with one
//! store divide every rate and burst by their number in the latest heartbeat.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use super::plan::Plan;

const SECOND: u64 = 1_000_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateState {
    /// Calls that may be made at once.
    pub remaining: u32,
    /// Seconds until the burst is full, rounded up.
    pub full_in: u64,
}

/// The number of servers that divide the rates, shared by all rates of a process.
#[derive(Clone, Debug)]
pub struct Shares(Arc<AtomicU32>);

impl Default for Shares {
    /// One server, undivided.
    fn default() -> Self {
        Self(Arc::new(AtomicU32::new(1)))
    }
}

impl Shares {
    pub fn set(&self, servers: NonZeroU32) {
        self.0.store(servers.get(), Ordering::Relaxed);
    }

    pub(super) fn get(&self) -> u64 {
        u64::from(self.0.load(Ordering::Relaxed))
    }
}

pub struct Rate {
    shares: Shares,
    /// Nanoseconds in which the plan gains one call.
    plan_step: u64,
    /// Nanoseconds in which the plan gains its burst.
    plan_depth: u64,
    /// Monotonic nanoseconds at which the bucket is full.
    full_at: AtomicU64,
}

impl Rate {
    /// A full bucket with this server's share.
    pub fn new(plan: &Plan, shares: Shares) -> Self {
        let plan_step = SECOND / u64::from(plan.rate.get());
        let plan_depth = plan_step * u64::from(plan.burst.get());
        Self { shares, plan_step, plan_depth, full_at: AtomicU64::new(0) }
    }

    /// Takes one call. `elapsed` is monotonic time.
    ///
    /// # Errors
    /// Seconds until a call is admitted, rounded up; nothing is taken.
    pub fn take(&self, elapsed: Duration) -> Result<RateState, u64> {
        let (now, bucket) = (nanos(elapsed), self.bucket());
        let taken = |full_at: u64| full_at.max(now) + bucket.step;
        let take = |full_at| Some(taken(full_at)).filter(|later| *later <= now + bucket.depth);
        match self.full_at.fetch_update(Ordering::AcqRel, Ordering::Acquire, take) {
            Ok(before) => Ok(bucket.state(now, taken(before))),
            Err(full_at) => Err((taken(full_at) - bucket.depth - now).div_ceil(SECOND)),
        }
    }

    pub fn peek(&self, elapsed: Duration) -> RateState {
        self.bucket().state(nanos(elapsed), self.full_at.load(Ordering::Acquire))
    }

    pub(crate) fn is_full(&self, elapsed: Duration) -> bool {
        self.full_at.load(Ordering::Acquire) <= nanos(elapsed)
    }

    fn bucket(&self) -> Bucket {
        let step = self.plan_step * self.shares.get();
        // A share of less than one call would never admit one.
        Bucket { step, depth: self.plan_depth.max(step) }
    }
}

/// This server's share of a plan.
struct Bucket {
    /// Nanoseconds in which the bucket gains one call.
    step: u64,
    /// Nanoseconds in which an empty bucket becomes full.
    depth: u64,
}

impl Bucket {
    fn state(&self, now: u64, full_at: u64) -> RateState {
        let missing = full_at.saturating_sub(now);
        let remaining = self.depth.saturating_sub(missing) / self.step;
        RateState {
            // At most the burst, a u32.
            remaining: u32::try_from(remaining).unwrap_or(u32::MAX),
            full_in: missing.div_ceil(SECOND),
        }
    }
}

fn nanos(elapsed: Duration) -> u64 {
    // 500 years of uptime.
    u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX / 2)
}
