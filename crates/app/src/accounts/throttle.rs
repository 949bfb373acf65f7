//! A throttle for tries: each try after the free ones doubles the wait. In memory, of limited size, on monotonic time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kuraka_ports::Clock;
use thiserror::Error;

use crate::bounded::make_room;

/// The limits of a throttle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Tries that cost no wait.
    pub free: u32,
    /// The wait after the first try that is not free; each further one doubles it.
    pub first_wait: Duration,
    /// The longest wait.
    pub longest_wait: Duration,
    /// Tries are forgotten after this long without a new one.
    pub memory: Duration,
}

/// Too many tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("too many tries: the next in {} s", wait.as_secs())]
pub struct Throttled {
    /// Time to wait, at least one second.
    pub wait: Duration,
}

impl Throttled {
    /// The time to wait in whole seconds, rounded up.
    #[must_use]
    pub fn whole_seconds(&self) -> u64 {
        self.wait.as_secs() + u64::from(self.wait.subsec_nanos() > 0)
    }
}

/// Counts tries by key.
pub struct Throttle<K> {
    allowance: Allowance,
    clock: Arc<dyn Clock>,
    tries: Mutex<HashMap<K, Tries>>,
}

#[derive(Clone, Copy)]
struct Tries {
    count: u32,
    latest: Duration,
}

impl<K: Eq + Hash + Clone> Throttle<K> {
    /// Starts with no counted tries.
    #[must_use]
    pub fn new(allowance: Allowance, clock: Arc<dyn Clock>) -> Self {
        Self { allowance, clock, tries: Mutex::default() }
    }

    /// Whether `key` may try now.
    ///
    /// # Errors
    /// [`Throttled`], with the remaining wait.
    pub fn check(&self, key: &K) -> Result<(), Throttled> {
        let now = self.clock.monotonic();
        let tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(tries) = tries.get(key) else { return Ok(()) };
        let until = tries.latest + self.wait_after(tries.count);
        match until.checked_sub(now) {
            Some(left) if !left.is_zero() => Err(Throttled { wait: left.max(Duration::from_secs(1)) }),
            Some(_) | None => Ok(()),
        }
    }

    /// Counts a try.
    pub fn count(&self, key: &K) {
        let now = self.clock.monotonic();
        let mut all = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains_key(key) {
            make_room(&mut all, |tries| tries.latest);
        }
        let tries = all.entry(key.clone()).or_insert(Tries { count: 0, latest: now });
        if now.saturating_sub(tries.latest) >= self.allowance.memory {
            tries.count = 0;
        }
        *tries = Tries { count: tries.count.saturating_add(1), latest: now };
    }

    /// Uncounts one try, because it succeeded or could not be made.
    pub fn uncount(&self, key: &K) {
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tries) = tries.get_mut(key) {
            tries.count = tries.count.saturating_sub(1);
        }
    }

    /// Forgets the tries of `key`, because one succeeded and the same person made all of them.
    pub fn forgive(&self, key: &K) {
        self.tries.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
    }

    fn wait_after(&self, count: u32) -> Duration {
        match count.checked_sub(self.allowance.free) {
            None => Duration::ZERO,
            Some(over) => {
                let factor = 1_u32.checked_shl(over).unwrap_or(u32::MAX);
                self.allowance.first_wait.saturating_mul(factor).min(self.allowance.longest_wait)
            }
        }
    }
}
