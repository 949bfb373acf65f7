//! The manual clock.

use std::time::Duration;

use jiff::Timestamp;
use kuraka_ports::Clock;
use kuraka_ports::contract::samples::{LATER, NOW};
use kuraka_ports::fake::ManualClock;

#[test]
fn a_jump_of_the_wall_clock_leaves_monotonic_time() {
    let clock = ManualClock::at(LATER);
    clock.advance(Duration::from_secs(1));
    clock.set(NOW);
    assert_eq!(clock.now(), NOW);
    assert_eq!(clock.monotonic(), Duration::from_secs(1));
}

#[test]
fn the_wall_clock_stops_where_time_stamps_end() {
    let clock = ManualClock::at(NOW);
    clock.advance(Duration::MAX);
    assert_eq!(clock.now(), Timestamp::MAX);
}
