//! The machine's clock.

use std::time::Duration;

use kuraka_adapters::clock::SystemClock;
use kuraka_ports::Clock;
use kuraka_ports::contract::samples::NOW;

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
