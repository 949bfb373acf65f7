//! Every promise of a suite is on its list; otherwise it would never run.

const SUITES: [&str; 12] = [
    include_str!("../../src/contract/accounts.rs"),
    include_str!("../../src/contract/tokens.rs"),
    include_str!("../../src/contract/daily_usage.rs"),
    include_str!("../../src/contract/ledger.rs"),
    include_str!("../../src/contract/sessions.rs"),
    include_str!("../../src/contract/registry.rs"),
    include_str!("../../src/contract/taxpayer_source.rs"),
    include_str!("../../src/contract/voucher_validator.rs"),
    include_str!("../../src/contract/clock.rs"),
    include_str!("../../src/contract/password.rs"),
    include_str!("../../src/contract/membership.rs"),
    include_str!("../../src/contract/webhooks.rs"),
];

#[test]
fn every_promise_is_listed_in_its_suite() {
    for suite in SUITES {
        let promises = suite.split("pub async fn ").skip(1).filter_map(|rest| rest.split('<').next());
        let mut count = 0;
        for promise in promises {
            count += 1;
            assert!(suite.contains(&format!("{promise},")), "{promise} is not on its suite's list");
        }
        assert!(count >= 5, "the suite's promises were not recognised");
    }
}
