//! The limit of attempts by key, and the keys that it remembers.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_app::throttle::{Allowance, Throttle};
use kuraka_ports::fake::ManualClock;

/// Keys that a throttle remembers at most.
const MAX_KEYS: usize = 100_000;

fn throttle(allowance: Allowance) -> (Arc<ManualClock>, Throttle<usize>) {
    let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
    (clock.clone(), Throttle::new(allowance, clock))
}

/// Counts an attempt of each of `count` keys, so long apart, and returns the keys that are remembered.
fn remembered(count: usize, apart: Duration) -> Vec<usize> {
    let (clock, throttle) = throttle(Allowance::per(1, Duration::from_secs(3_600)));
    for key in 0..count {
        throttle.take(&key).unwrap();
        clock.advance(apart);
    }
    (0..count).filter(|key| throttle.check(key).is_err()).collect()
}

#[test]
fn a_minute_begins_with_its_first_attempt() {
    let (clock, throttle) = throttle(Allowance::per(2, Duration::from_secs(60)));
    let mut take_after = |seconds| {
        clock.advance(Duration::from_secs(seconds));
        throttle.take(&1).map_err(|throttled| throttled.whole_seconds())
    };
    assert_eq!([0, 40].map(&mut take_after), [Ok(()); 2]);
    assert_eq!([1, 18].map(&mut take_after), [Err(19), Err(1)]);
    assert_eq!([1, 59].map(&mut take_after), [Ok(()); 2]);
    assert_eq!([0, 1].map(&mut take_after), [Err(1), Ok(())]);
}

#[test]
fn a_full_throttle_forgets_its_oldest_quarter() {
    // A quarter is removed four times for the second hundred thousand keys, and a fifth time for the last key.
    let known = remembered(2 * MAX_KEYS + 1, Duration::from_micros(1));
    assert!(
        known.iter().copied().eq(MAX_KEYS + MAX_KEYS / 4..2 * MAX_KEYS + 1),
        "{} keys from {:?}",
        known.len(),
        known.first()
    );
}

#[test]
fn keys_of_the_same_instant_are_not_all_forgotten() {
    assert_eq!(remembered(MAX_KEYS + 1, Duration::ZERO).len(), MAX_KEYS * 3 / 4 + 1);
}
