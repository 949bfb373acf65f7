//! Waits for an event of a server.

use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval};

/// How long a test waits for an event. It is far more than needed, so that only a failing test waits so long.
pub(crate) const DEADLINE: Duration = Duration::from_secs(20);

/// Tries again until the attempt returns a value, and returns that value.
pub(crate) async fn eventually<T, F: Future<Output = Option<T>>>(what: &str, mut attempt: impl FnMut() -> F) -> T {
    let deadline = Instant::now() + DEADLINE;
    let mut beat = interval(Duration::from_millis(20));
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        if let Some(done) = attempt().await {
            return done;
        }
        assert!(Instant::now() < deadline, "{what}: not within {DEADLINE:?}");
    }
}
