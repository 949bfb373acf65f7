//! When a failed delivery is retried, and when a webhook is disabled.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use kuraka_ports::{AfterAttempt, AttemptResult, WebhookStatus};

/// Seconds to the next attempt, by the number of failures.
const DELAYS: [u64; 9] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/// A webhook whose attempts all failed for this long is disabled.
const DISABLED_AFTER: SignedDuration = SignedDuration::from_hours(5 * 24);
/// The longest wait that a receiver can ask for.
const MAX_WAIT: Duration = Duration::from_secs(3_600);

/// What follows an attempt that ended at `now`. `failures` and `failing_since` are the previous ones, `wait` is the
/// receiver's `Retry-After`, `jitter` a random number that adds up to a tenth.
pub fn after_attempt(
    result: &AttemptResult,
    wait: Option<Duration>,
    failures: u32,
    failing_since: Option<Timestamp>,
    now: Timestamp,
    jitter: u32,
) -> AfterAttempt {
    if result.is_delivered() {
        return AfterAttempt::Delivered;
    }
    if matches!(result, AttemptResult::Answered { status: 410, .. }) {
        return AfterAttempt::Disable(WebhookStatus::Gone);
    }
    if failing_since.is_some_and(|since| now.duration_since(since) >= DISABLED_AFTER) {
        return AfterAttempt::Disable(WebhookStatus::Failed);
    }
    let [.., last] = DELAYS;
    let delay = DELAYS.get(failures as usize).copied().unwrap_or(last);
    let delay = Duration::from_secs(delay).max(wait.unwrap_or_default().min(MAX_WAIT));
    let delay = delay + (delay / 10).mul_f64(f64::from(jitter) / f64::from(u32::MAX));
    AfterAttempt::RetryAt(now.saturating_add(delay).unwrap_or(Timestamp::MAX))
}
