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

pub async fn monotonic_time_never_goes_back<C: Clock>(subject: Running<C>) {
    let mut last = subject.clock.monotonic();
    for _ in 0..10_000 {
        let next = subject.clock.monotonic();
        assert!(next >= last, "{next:?} after {last:?}");
        last = next;
    }
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

pub async fn time_that_passes_shows_on_both<C: Clock>(subject: Running<C>) {
    let (wall, monotonic) = (subject.clock.now(), subject.clock.monotonic());
    (subject.pass)(&subject.clock, PASSING);
    assert!(subject.clock.monotonic() - monotonic >= PASSING);
    // The machine's own time may be corrected while the test runs.
    let passed = subject.clock.now().duration_since(wall);
    assert!(passed.as_millis() >= 10, "{passed:?}");
}

/// Within one second, because the machine may correct its time.
pub async fn both_move_by_the_same<C: Clock>(subject: Running<C>) {
    let before = (subject.clock.now(), subject.clock.monotonic());
    (subject.pass)(&subject.clock, PASSING);
    let after = (subject.clock.now(), subject.clock.monotonic());
    let wall = after.0.duration_since(before.0).as_secs_f64();
    let monotonic = (after.1 - before.1).as_secs_f64();
    assert!((wall - monotonic).abs() < 1.0, "{wall} s and {monotonic} s");
}

pub async fn reading_a_clock_does_not_move_it<C: Clock>(subject: Running<C>) {
    let before = subject.clock.monotonic();
    for _ in 0..1_000 {
        subject.clock.now();
        subject.clock.monotonic();
    }
    assert!(subject.clock.monotonic() - before < Duration::from_secs(60));
}

const PASSING: Duration = Duration::from_millis(20);

pub fn wait<C: Clock>(clock: &C, time: Duration) {
    let end = clock.monotonic() + time;
    while clock.monotonic() < end {
        thread::yield_now();
    }
}
