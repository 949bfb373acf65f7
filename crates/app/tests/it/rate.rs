use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_app::rate::{Rate, Shares};
use kuraka_ports::Clock;
use kuraka_ports::fake::ManualClock;
use proptest::prelude::*;

use crate::fixture::plan;

#[test]
fn a_call_after_retry_after_is_admitted() {
    let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
    let rate = Rate::new(&plan("p", 1, 1, 1), Shares::default());
    rate.take(clock.monotonic()).unwrap();
    clock.advance(Duration::from_millis(1));
    let retry_after = rate.take(clock.monotonic()).unwrap_err();
    assert_eq!(retry_after, 1);
    clock.advance(Duration::from_secs(retry_after));
    assert!(rate.take(clock.monotonic()).is_ok(), "exactly as patient as told");
}

/// Number of calls that the servers admit together in ten seconds of constant demand.
fn admitted_together(servers: u32, per_second: u64, burst: u64) -> u64 {
    let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
    let shares = Shares::default();
    shares.set(servers.try_into().unwrap());
    let rates: Vec<_> = (0..servers).map(|_| Rate::new(&plan("p", 1, per_second, burst), shares.clone())).collect();
    let mut admitted = 0;
    for _ in 0..1_000 {
        for rate in &rates {
            while rate.take(clock.monotonic()).is_ok() {
                admitted += 1;
            }
        }
        clock.advance(Duration::from_millis(10));
    }
    admitted
}

#[test]
fn servers_that_divide_a_rate_together_admit_it() {
    for (per_second, burst) in [(5, 10), (20, 20), (100, 100), (1, 1)] {
        let alone = admitted_together(1, per_second, burst);
        assert_eq!(alone, burst + per_second * 10 - 1, "the last was asked 10 ms too early");
        for servers in [3, 5] {
            let together = admitted_together(servers, per_second, burst);
            // Each server has a burst of at least one call, and a fraction of a call that is not admitted yet.
            assert!(together <= alone + u64::from(servers).saturating_sub(burst), "{together} instead of {alone}");
            assert!(together + 2 * u64::from(servers) >= alone, "{together} instead of {alone}");
        }
    }
}

proptest! {
    /// Compares with the definition: a theoretical arrival time in exact nanoseconds.
    #[test]
    fn the_rate_admits_exactly_what_gcra_admits(
        per_second in 1_u32..2_000,
        burst in 1_u32..50,
        waits in proptest::collection::vec(0_u64..20_000_000, 1..400),
    ) {
        let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
        let rate = Rate::new(&plan("p", 1, per_second.into(), burst.into()), Shares::default());
        let emission = 1_000_000_000 / u64::from(per_second);
        let (mut now, mut arrival) = (0_u64, 0_u64);
        for wait in waits {
            clock.advance(Duration::from_nanos(wait));
            now += wait;
            let tolerance = emission * u64::from(burst - 1);
            let admitted = arrival <= now + tolerance;
            prop_assert_eq!(rate.take(clock.monotonic()).is_ok(), admitted);
            if admitted {
                arrival = arrival.max(now) + emission;
            }
        }
    }
}
