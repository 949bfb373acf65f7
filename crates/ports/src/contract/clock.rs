//! What [`Clock`] promises.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::Clock;

#[derive(Debug)]
pub struct Running<C> {
    pub clock: Arc<C>,
    /// Returns once this much time has passed on the clock.
    pub pass: fn(&C, Duration),
}

pub async fn monotonic_time_never_goes_back_between_threads<C: Clock>(subject: Running<C>) {
    let latest = Mutex::new(Duration::ZERO);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1_000 {
                    let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
                    let next = subject.clock.monotonic();
                    assert!(next >= *latest, "{next:?} after {latest:?}");
                    *latest = next;
                }
            });
        }
    });
}

/// Within one second, because the machine may correct its time. Reading does not move a clock.
pub async fn time_that_passes_shows_on_both<C: Clock>(subject: Running<C>) {
    let before = (subject.clock.now(), subject.clock.monotonic());
    for _ in 0..1_000 {
        subject.clock.now();
    }
    (subject.pass)(&subject.clock, PASSING);
    let after = (subject.clock.now(), subject.clock.monotonic());
    let (wall, monotonic) = (after.0.duration_since(before.0), after.1 - before.1);
    assert!(wall.as_millis() >= 10 && monotonic >= PASSING && monotonic < Duration::from_secs(60), "{wall:?}");
    assert!((wall.as_secs_f64() - monotonic.as_secs_f64()).abs() < 1.0, "{wall:?} and {monotonic:?}");
}

const PASSING: Duration = Duration::from_millis(20);

pub fn wait<C: Clock>(clock: &C, time: Duration) {
    let end = clock.monotonic() + time;
    while clock.monotonic() < end {
        thread::yield_now();
    }
}
