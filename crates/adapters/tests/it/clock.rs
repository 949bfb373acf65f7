//! The machine's clock.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_adapters::clock::{FollowingClock, SystemClock};
use kuraka_ports::Clock;
use kuraka_ports::contract::samples::NOW;
use kuraka_ports::fake::ManualClock;

#[test]
fn the_wall_clock_shows_a_plausible_year() {
    assert!(SystemClock::start().now().duration_since(NOW).abs().as_hours() < 24 * 365 * 50);
}

#[test]
fn the_monotonic_hand_starts_at_zero_and_never_goes_back() {
    let clock = SystemClock::start();
    let mut last = clock.monotonic();
    assert!(last < Duration::from_secs(60));
    for _ in 0..10_000 {
        let next = clock.monotonic();
        assert!(next >= last);
        last = next;
    }
    assert!(last > Duration::ZERO);
}

#[test]
fn a_clock_that_follows_shows_the_others_time_and_does_not_tremble() {
    let own = Arc::new(ManualClock::at(NOW));
    let clock = FollowingClock::new(own.clone());
    assert_eq!(clock.now(), NOW);
    let ahead = |micros: i64| Timestamp::from_microsecond(NOW.as_microsecond() + micros).unwrap();
    // Five minutes ahead; the question took 10 ms.
    clock.follow(ahead(300_000_000), Duration::from_millis(10));
    let shown = clock.now();
    assert_eq!(shown, ahead(300_005_000));
    clock.follow(ahead(300_007_000), Duration::from_millis(4));
    assert_eq!(clock.now(), shown, "within what the way may have made");
    // Back, and on with its own hands.
    clock.follow(NOW, Duration::ZERO);
    own.advance(Duration::from_secs(1));
    assert_eq!(clock.now(), ahead(1_000_000));
}
