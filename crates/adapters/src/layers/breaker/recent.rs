//! Calls and failures of the last 30 seconds, by second, so that memory does not grow with the rate.

use std::collections::VecDeque;
use std::time::Duration;

#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    /// In order of time, at most one for each second.
    slots: VecDeque<Slot>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    second: u64,
    calls: u32,
    failures: u32,
}

impl Recent {
    /// The counted seconds, the current one included.
    pub(super) const SECONDS: u64 = 30;
    /// A failure rate over fewer calls is not significant.
    pub(super) const MIN_CALLS: u32 = 10;

    pub(super) fn note(&mut self, now: Duration, failed: bool) {
        let second = now.as_secs();
        while self.slots.front().is_some_and(|oldest| oldest.second + Self::SECONDS <= second) {
            self.slots.pop_front();
        }
        if self.slots.back().is_none_or(|newest| newest.second < second) {
            self.slots.push_back(Slot { second, calls: 0, failures: 0 });
        }
        if let Some(newest) = self.slots.back_mut() {
            newest.calls = newest.calls.saturating_add(1);
            newest.failures = newest.failures.saturating_add(u32::from(failed));
        }
    }

    /// Whether at least half of enough calls failed.
    pub(super) fn half_failed(&self) -> bool {
        let sum = |count: fn(&Slot) -> u32| self.slots.iter().map(count).fold(0, u32::saturating_add);
        let (calls, failures) = (sum(|slot| slot.calls), sum(|slot| slot.failures));
        calls >= Self::MIN_CALLS && failures >= calls.div_ceil(2)
    }

    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }
}
