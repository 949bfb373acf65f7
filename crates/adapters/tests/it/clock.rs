//! The machine's clock, and one that follows another's.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_adapters::clock::{FollowingClock, SystemClock};
use kuraka_ports::Clock;
use kuraka_ports::contract::clock::{Running, wait};
use kuraka_ports::contract::samples::NOW;
use kuraka_ports::fake::ManualClock;

mod system {
    kuraka_ports::contract!(clock, super::SystemClock, super::running(super::SystemClock::start()));
}

mod following {
    kuraka_ports::contract!(clock, super::FollowingClock, super::running(super::following()));
}

fn running<C: Clock>(clock: C) -> (Running<C>, ()) {
    (Running { clock: Arc::new(clock), pass: wait }, ())
}

/// A clock that has been told of another's time.
fn following() -> FollowingClock {
    let clock = FollowingClock::new(Arc::new(SystemClock::start()));
    clock.follow(NOW, Duration::from_millis(10));
    clock
}

#[test]
fn the_wall_clock_shows_a_plausible_year() {
    assert!(SystemClock::start().now().duration_since(NOW).abs().as_hours() < 24 * 365 * 50);
}

#[test]
fn monotonic_time_starts_at_zero() {
    assert!(SystemClock::start().monotonic() < Duration::from_secs(60));
}

#[test]
fn a_following_clock_ignores_small_differences() {
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
