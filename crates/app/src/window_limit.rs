//! Limits events by key: so many within a window of time, which begins with the key's first event. In memory, of
//! limited size, on monotonic time.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use kuraka_ports::Clock;

use crate::accounts::throttle::Throttled;
use crate::bounded::make_room;

/// The length of a window.
const WINDOW: Duration = Duration::from_secs(60);

/// Counts events by key, and refuses those above the limit.
pub(crate) struct WindowLimit<K> {
    per_minute: u32,
    clock: Arc<dyn Clock>,
    windows: Mutex<HashMap<K, Window>>,
}

#[derive(Clone, Copy)]
struct Window {
    began: Duration,
    count: u32,
}

impl<K: Eq + Hash> WindowLimit<K> {
    pub(crate) fn new(per_minute: u32, clock: Arc<dyn Clock>) -> Self {
        Self { per_minute, clock, windows: Mutex::default() }
    }

    /// Counts an event of `key`, unless its window is full.
    ///
    /// # Errors
    /// [`Throttled`], with the time until the window ends.
    pub(crate) fn take(&self, key: K) -> Result<(), Throttled> {
        let now = self.clock.monotonic();
        let mut windows = self.windows();
        if !windows.contains_key(&key) {
            make_room(&mut windows, |window| window.began);
        }
        let window = windows.entry(key).or_insert(Window { began: now, count: 0 });
        let left = (window.began + WINDOW).saturating_sub(now);
        if left.is_zero() {
            *window = Window { began: now, count: 0 };
        }
        if window.count >= self.per_minute {
            return Err(Throttled { wait: left });
        }
        window.count += 1;
        Ok(())
    }

    /// Uncounts an event.
    pub(crate) fn give_back(&self, key: &K) {
        if let Some(window) = self.windows().get_mut(key) {
            window.count = window.count.saturating_sub(1);
        }
    }

    fn windows(&self) -> MutexGuard<'_, HashMap<K, Window>> {
        self.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
