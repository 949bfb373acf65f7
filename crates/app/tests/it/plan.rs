use kuraka_app::{Plan, PlanError};
use kuraka_ports::PlanName;
use proptest::prelude::*;

use crate::fixture::plan;

#[test]
fn a_rate_out_of_range_is_refused_with_the_number() {
    let made = |rate, burst| Plan::new(PlanName::parse("p").unwrap(), 1, rate, burst);
    assert_eq!(made(0, 1), Err(PlanError::Rate { field: "rate", found: 0 }));
    assert_eq!(made(1, 1_000_001), Err(PlanError::Rate { field: "burst", found: 1_000_001 }));
    assert!(made(1_000_000, 1_000_000).is_ok());
}

proptest! {
    #[test]
    fn a_block_is_at_least_one_and_at_most_a_hundredth_of_the_plan(
        queries in 0_u64..100_000_000,
        share in 0.0_f64..=1.0,
    ) {
        let left = (queries as f64 * share) as u64;
        let block = plan("p", queries, 1, 1).block(left);
        prop_assert!(block >= 1);
        prop_assert!(block <= (queries / 100).max(1));
        if queries < 10_000 || left < 200 {
            prop_assert_eq!(block, 1);
        }
    }
}
