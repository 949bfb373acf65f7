//! When a delivery is attempted again.

use std::time::Duration;

use kuraka_app::webhooks::after_attempt;
use kuraka_ports::{AfterAttempt, AttemptResult, NoAnswer, WebhookStatus};

use super::{DEAD, NOW, answered};

/// Seconds until the next attempt after so many failures.
fn delay(result: &AttemptResult, wait: Option<u64>, failures: u32, jitter: u32) -> i64 {
    match after_attempt(result, wait.map(Duration::from_secs), failures, None, NOW, jitter) {
        AfterAttempt::RetryAt(at) => at.as_second() - NOW.as_second(),
        other @ (AfterAttempt::Delivered | AfterAttempt::Disable(_)) => panic!("{other:?}"),
    }
}

#[test]
fn delays_grow_to_a_day_and_vary_by_a_tenth() {
    let minutes = |minutes: i64| minutes * 60;
    let hours = |hours: i64| hours * 3_600;
    let delays =
        [5, minutes(5), minutes(30), hours(2), hours(5), hours(10), hours(14), hours(20), hours(24), hours(24)];
    for (failures, expected) in (0..).zip(delays) {
        assert_eq!(delay(&DEAD, None, failures, 0), expected);
        assert_eq!(delay(&DEAD, None, failures, u32::MAX), expected + expected / 10);
    }
    assert_eq!(delay(&DEAD, None, u32::MAX, 0), hours(24));
}

#[test]
fn a_receiver_can_ask_for_a_wait_of_an_hour_at_most() {
    for (wait, expected) in [(0, 5), (3, 5), (120, 120), (3_600, 3_600), (86_400, 3_600)] {
        assert_eq!(delay(&answered(429), Some(wait), 0, 0), expected);
    }
    assert_eq!(delay(&answered(503), Some(60), 1, 0), 300, "a wait does not shorten the schedule");
}

#[test]
fn only_2xx_delivers_and_410_disables_at_once() {
    let after = |result: AttemptResult| after_attempt(&result, None, 0, None, NOW, 0);
    for status in [200, 201, 204, 299] {
        assert_eq!(after(answered(status)), AfterAttempt::Delivered, "{status}");
    }
    assert_eq!(after(answered(410)), AfterAttempt::Disable(WebhookStatus::Gone));
    let failures = [100, 199, 300, 301, 302, 307, 308, 400, 404, 408, 429, 500, 503].map(answered);
    for failure in failures.into_iter().chain(NoAnswer::ALL.map(AttemptResult::NoAnswer)) {
        assert!(matches!(after(failure.clone()), AfterAttempt::RetryAt(_)), "{failure:?}");
    }
}
