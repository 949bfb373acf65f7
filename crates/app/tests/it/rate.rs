use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_app::rate::Rate;
use kuraka_ports::fake::ManualClock;
use proptest::prelude::*;

use crate::house::plan;

#[test]
fn a_full_burst_then_the_rate() {
    let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
    let rate = Rate::new(&plan("p", 1, 5, 10), clock.clone());
    let remaining: Vec<u32> = (0..10).map(|_| rate.take().unwrap().remaining).collect();
    assert_eq!(remaining, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert!(rate.take().is_err());
    clock.advance(Duration::from_millis(200));
    assert!(rate.take().is_ok());
    assert!(rate.take().is_err());
}

#[test]
fn retry_after_is_true() {
    let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
    let rate = Rate::new(&plan("p", 1, 1, 1), clock.clone());
    rate.take().unwrap();
    clock.advance(Duration::from_millis(1));
    let early = rate.take().unwrap_err();
    assert_eq!(early.retry_after, 1);
    clock.advance(Duration::from_secs(early.retry_after));
    assert!(rate.take().is_ok(), "exactly as patient as told");
}

#[test]
fn a_refused_call_takes_nothing() {
    let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
    let rate = Rate::new(&plan("p", 1, 1, 1), clock.clone());
    rate.take().unwrap();
    for _ in 0..1000 {
        assert!(rate.take().is_err());
    }
    clock.advance(Duration::from_secs(1));
    assert!(rate.take().is_ok());
}

proptest! {
    /// Against the definition: a theoretical arrival time in exact nanoseconds.
    #[test]
    fn it_admits_exactly_what_the_definition_of_gcra_admits(
        per_second in 1_u32..2_000,
        burst in 1_u32..50,
        waits in proptest::collection::vec(0_u64..20_000_000, 1..400),
    ) {
        let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
        let rate = Rate::new(&plan("p", 1, per_second.into(), burst.into()), clock.clone());
        let emission = 1_000_000_000 / u64::from(per_second);
        let (mut now, mut arrival) = (0_u64, 0_u64);
        for wait in waits {
            clock.advance(Duration::from_nanos(wait));
            now += wait;
            let tolerance = emission * u64::from(burst - 1);
            let admitted = arrival <= now + tolerance;
            prop_assert_eq!(rate.take().is_ok(), admitted);
            if admitted {
                arrival = arrival.max(now) + emission;
            }
        }
    }
}
