//! Limits attempts by key: after the free ones a key must wait. In memory, bounded, on monotonic time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::Clock;
use parking_lot::Mutex;
use thiserror::Error;

/// About 30 MB if all keys are long e-mail addresses.
const MAX_KEYS: usize = 100_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Attempts that cost no wait.
    pub free: u32,
    /// Each further attempt doubles it.
    pub first_wait: Duration,
    pub longest_wait: Duration,
    /// Attempts are forgotten after this time.
    pub memory: Duration,
    /// The attempt from which waits and memory are counted.
    pub since: WaitBasis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitBasis {
    First,
    Latest,
}

impl Allowance {
    /// This many attempts in a time that begins with the first.
    pub const fn per(free: u32, time: Duration) -> Self {
        Self { free, first_wait: time, longest_wait: time, memory: time, since: WaitBasis::First }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("too many attempts: the next in {} s", self.whole_seconds())]
pub struct ThrottledError {
    pub wait: Duration,
}

impl ThrottledError {
    /// Rounded up.
    pub fn whole_seconds(&self) -> u64 {
        self.wait.as_secs() + u64::from(self.wait.subsec_nanos() > 0)
    }
}

pub struct Throttle<K> {
    allowance: Allowance,
    clock: Arc<dyn Clock>,
    attempts: Mutex<HashMap<K, Attempts>>,
}

#[derive(Clone, Copy)]
struct Attempts {
    count: u32,
    first: Duration,
    latest: Duration,
}

impl<K: Eq + Hash + Clone> Throttle<K> {
    pub fn new(allowance: Allowance, clock: Arc<dyn Clock>) -> Self {
        Self { allowance, clock, attempts: Mutex::default() }
    }

    /// Whether `key` may try now.
    ///
    /// # Errors
    /// [`ThrottledError`], with the remaining wait.
    pub fn check(&self, key: &K) -> Result<(), ThrottledError> {
        self.check_in(&self.attempts.lock(), key, self.clock.monotonic())
    }

    pub fn count(&self, key: &K) {
        self.count_in(&mut self.attempts.lock(), key, self.clock.monotonic());
    }

    /// # Errors
    /// [`ThrottledError`], with the remaining wait.
    pub fn take(&self, key: &K) -> Result<(), ThrottledError> {
        let (mut attempts, now) = (self.attempts.lock(), self.clock.monotonic());
        self.check_in(&attempts, key, now)?;
        self.count_in(&mut attempts, key, now);
        Ok(())
    }

    /// Uncounts an attempt that succeeded or was not made.
    pub fn uncount(&self, key: &K) {
        if let Some(attempts) = self.attempts.lock().get_mut(key) {
            attempts.count = attempts.count.saturating_sub(1);
        }
    }

    /// Forgets the attempts of `key`: one succeeded.
    pub fn forgive(&self, key: &K) {
        self.attempts.lock().remove(key);
    }

    fn check_in(&self, attempts: &HashMap<K, Attempts>, key: &K, now: Duration) -> Result<(), ThrottledError> {
        let Some(attempts) = attempts.get(key) else { return Ok(()) };
        let wait = (self.since(attempts) + self.wait_after(attempts.count)).saturating_sub(now);
        if wait.is_zero() { Ok(()) } else { Err(ThrottledError { wait }) }
    }

    fn count_in(&self, all: &mut HashMap<K, Attempts>, key: &K, now: Duration) {
        if !all.contains_key(key) {
            make_room(all);
        }
        let none = Attempts { count: 0, first: now, latest: now };
        let attempts = all.entry(key.clone()).or_insert(none);
        if now.saturating_sub(self.since(attempts)) >= self.allowance.memory {
            *attempts = none;
        }
        *attempts = Attempts { count: attempts.count.saturating_add(1), latest: now, ..*attempts };
    }

    fn since(&self, attempts: &Attempts) -> Duration {
        match self.allowance.since {
            WaitBasis::First => attempts.first,
            WaitBasis::Latest => attempts.latest,
        }
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

/// Removes the oldest quarter of a full map, for a constant cost per key.
fn make_room<K: Eq + Hash + Clone>(all: &mut HashMap<K, Attempts>) {
    if all.len() >= MAX_KEYS {
        let mut keys: Vec<(Duration, K)> = all.iter().map(|(key, attempts)| (attempts.latest, key.clone())).collect();
        keys.select_nth_unstable_by_key(MAX_KEYS / 4, |(time, _)| *time);
        for (_, key) in keys.iter().take(MAX_KEYS / 4) {
            all.remove(key);
        }
    }
}
