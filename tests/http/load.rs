//! An open loop: calls start at their planned times, however slow the answers are; and the bounds of their latency.

use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};

use crate::answer::Answer;
use crate::reliability::setting;
use crate::request::Request;

/// A call that has ended.
pub(crate) struct Ended {
    /// The time from the planned start to the answer.
    pub(crate) took: Duration,
    pub(crate) answer: Answer,
}

/// Makes this many calls per second for `lasting`. `request` makes the call with this number.
pub(crate) async fn open_loop(rate: u32, lasting: Duration, request: impl Fn(u32) -> Request) -> Vec<Ended> {
    let mut beat = interval(Duration::from_secs(1) / rate);
    beat.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut calls = JoinSet::new();
    for number in 0..rate * lasting.as_secs() as u32 {
        let due = beat.tick().await;
        let request = request(number);
        calls.spawn(async move {
            let answer = request.send().await;
            Ended { took: due.elapsed(), answer }
        });
    }
    calls.join_all().await
}

/// The duration that all but a hundredth of the calls stay below.
pub(crate) fn p99<'a>(calls: impl IntoIterator<Item = &'a Ended>) -> Duration {
    let mut took: Vec<Duration> = calls.into_iter().map(|call| call.took).collect();
    took.sort_unstable();
    took.get(took.len() * 99 / 100).copied().unwrap_or_default()
}

/// Checks a latency under load against that of the same calls without it, and returns the ratio. The ratio may exceed
/// `target` by the [`slack`].
#[track_caller]
pub(crate) fn bounded_ratio(beside: Duration, alone: Duration, target: f64) -> f64 {
    assert!(beside <= alone.mul_f64(target) + slack(), "{beside:?} under load, {alone:?} without it");
    beside.as_secs_f64() / alone.as_secs_f64()
}

/// Whether `make reliability` runs this test alone.
pub(crate) fn is_alone() -> bool {
    setting("ALONE").is_some()
}

/// How long a thread may wait for a processor.
pub(crate) fn slack() -> Duration {
    Duration::from_millis(if is_alone() { 5 } else { 2_000 })
}
