//! The rate limit of the official page, and its bans.
//!
//! All clients count as one address.

use std::time::Duration;

use tokio::time::Instant;

/// The pace that the page enforces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The shortest time between two requests.
    pub interval: Duration,
    /// For how long a client that is faster, or sends no token, is banned.
    pub ban: Duration,
    /// Whether a banned client gets no answer, or else a reset.
    pub silent: bool,
}

#[derive(Debug, Default)]
pub(super) struct PageRateLimit {
    last: Option<Instant>,
    banned_until: Option<Instant>,
}

impl PageRateLimit {
    pub(super) fn admits(&mut self, pace: Pace, now: Instant) -> bool {
        if self.banned_until.is_some_and(|until| now < until) {
            return false;
        }
        let hasty = self.last.is_some_and(|last| now < last + pace.interval);
        self.last = Some(now);
        if hasty {
            self.ban(pace, now);
        }
        !hasty
    }

    pub(super) fn ban(&mut self, pace: Pace, now: Instant) {
        self.banned_until = Some(now + pace.ban);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace { interval: Duration::from_secs(1), ban: Duration::from_secs(300), silent: false };

    #[test]
    fn clients_that_keep_the_pace_always_pass() {
        let (mut rate_limit, start) = (PageRateLimit::default(), Instant::now());
        assert!((0..1_000).all(|second| rate_limit.admits(PACE, start + Duration::from_secs(second))));
    }

    #[test]
    fn requests_during_a_ban_do_not_prolong_it() {
        let (mut rate_limit, start) = (PageRateLimit::default(), Instant::now());
        let after = |seconds: f64| start + Duration::from_secs_f64(seconds);
        assert!(rate_limit.admits(PACE, start));
        assert!(!rate_limit.admits(PACE, after(0.9)));
        assert!(!rate_limit.admits(PACE, after(300.8)));
        assert!(rate_limit.admits(PACE, after(300.9)));
    }
}
