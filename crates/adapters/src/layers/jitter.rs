//! Random variation of durations, so that servers and caches that start together do not act together.

use std::time::Duration;

/// Spreads durations by a tenth.
pub struct Jitter(Box<dyn Fn() -> u32 + Send + Sync>);

impl Jitter {
    /// Spreads the load without showing in measurements.
    const SPREAD: u32 = 10;

    /// `random` returns any number from 0 to `u32::MAX`.
    pub fn new(random: impl Fn() -> u32 + Send + Sync + 'static) -> Self {
        Self(Box::new(random))
    }

    /// Uses the system's randomness; none if that fails.
    pub fn system() -> Self {
        Self::new(|| getrandom::u32().unwrap_or(u32::MAX / 2))
    }

    /// `duration`, or up to a tenth less.
    pub fn up_to(&self, duration: Duration) -> Duration {
        let spread = duration / Self::SPREAD;
        duration.saturating_sub(spread).saturating_add(self.part_of(spread)).min(duration)
    }

    /// `duration`, up to a tenth more or less.
    pub fn around(&self, duration: Duration) -> Duration {
        let spread = duration / Self::SPREAD;
        duration.saturating_sub(spread).saturating_add(self.part_of(spread.saturating_mul(2)))
    }

    fn part_of(&self, duration: Duration) -> Duration {
        duration.mul_f64(f64::from((self.0)()) / f64::from(u32::MAX))
    }
}
