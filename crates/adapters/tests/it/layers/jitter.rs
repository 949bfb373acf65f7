//! Durations are spread by a tenth, no more.

use std::time::Duration;

use kuraka_adapters::layers::Jitter;

use super::SECOND;

#[test]
fn the_bounds_are_a_tenth_away() {
    let (least, most) = (Jitter::new(|| 0), Jitter::new(|| u32::MAX));
    assert_eq!((least.up_to(300 * SECOND), most.up_to(300 * SECOND)), (270 * SECOND, 300 * SECOND));
    assert_eq!((least.around(600 * SECOND), most.around(600 * SECOND)), (540 * SECOND, 660 * SECOND));
}

#[test]
fn no_duration_is_too_long_or_too_short() {
    for jitter in [Jitter::new(|| 0), Jitter::new(|| u32::MAX)] {
        assert!(jitter.up_to(Duration::MAX) <= Duration::MAX);
        assert!(jitter.around(Duration::MAX) >= Duration::MAX / 10 * 8);
        assert_eq!((jitter.up_to(Duration::ZERO), jitter.around(Duration::ZERO)), (Duration::ZERO, Duration::ZERO));
    }
}

#[test]
fn the_systems_randomness_spreads() {
    let jitter = Jitter::system();
    let spread: std::collections::BTreeSet<Duration> = (0..100).map(|_| jitter.up_to(300 * SECOND)).collect();
    assert!(spread.len() > 90, "{} of 100 differ", spread.len());
    assert!(spread.iter().all(|duration| (270 * SECOND..=300 * SECOND).contains(duration)));
}
