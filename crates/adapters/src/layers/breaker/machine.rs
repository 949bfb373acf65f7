//! A state machine that decides whether to call a source. Time, randomness and verdicts are parameters.
//!
//! ```text
//!            5 failures in a row, half of 10 calls,
//!            3 distrusted in a row, or throttled
//!  closed ─────────────────────────────────────────► open ◄──────────┐
//!    ▲                                                │ time is over  │ the probe fails
//!    │              the probe succeeds                ▼               │
//!    └──────────────────────────────────────────── half-open ─────────┘
//! ```

use std::time::Duration;

use thiserror::Error;

use super::Verdict;
use super::recent::Recent;
use crate::layers::Jitter;

kuraka_ports::words! {
    pub enum BreakerState {
        Closed = "closed",
        /// One call, the probe, is in progress or may pass.
        HalfOpen = "half_open",
        Open = "open",
    }
}

/// By one monotonic clock.
#[derive(Clone, Debug)]
pub struct Machine {
    position: Position,
    /// Increases with every transition, so that results of calls admitted before it do not count.
    generation: u64,
    failing_in_a_row: u32,
    distrusted_in_a_row: u32,
    recent: Recent,
    first_open: Duration,
    next_open: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    Closed,
    Open { until: Duration },
    Probing,
}

/// Permission for one call, to be recorded or released.
#[derive(Clone, Copy, Debug)]
#[must_use = "an admitted call is recorded or released"]
pub struct Pass {
    generation: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the breaker is open, next probe {}", due(*retry_in))]
pub struct BreakerOpenError {
    /// Time until the next probe; `None` while one runs.
    pub retry_in: Option<Duration>,
}

fn due(retry_in: Option<Duration>) -> String {
    retry_in.map_or_else(|| "on its way".to_owned(), |wait| format!("in {} s", wait.as_secs()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition {
    Opened { open_for: Duration },
    Closed,
}

impl Machine {
    /// Unlikely unless half of all calls fail.
    pub const FAILING_IN_A_ROW: u32 = 5;
    /// A firewall's page or a changed layout lasts long.
    pub const DISTRUSTED_IN_A_ROW: u32 = 3;
    /// Most interruptions are shorter; the provider covers a longer one.
    pub const FIRST_OPEN: Duration = Duration::from_secs(15);
    /// SUNAT's bans last minutes; an outage's end is noticed within this time.
    pub const MAX_OPEN: Duration = Duration::from_secs(300);

    /// Closed; opens for `first_open`, then twice as long each time a probe fails.
    pub fn new(first_open: Duration) -> Self {
        let first_open = first_open.min(Self::MAX_OPEN);
        Self {
            position: Position::Closed,
            generation: 0,
            failing_in_a_row: 0,
            distrusted_in_a_row: 0,
            recent: Recent::default(),
            first_open,
            next_open: first_open,
        }
    }

    pub fn state(&self, now: Duration) -> BreakerState {
        match self.position {
            Position::Closed => BreakerState::Closed,
            Position::Open { until } if now < until => BreakerState::Open,
            Position::Open { .. } | Position::Probing => BreakerState::HalfOpen,
        }
    }

    /// # Errors
    /// [`BreakerOpenError`]: the source must not be called.
    pub fn admit(&mut self, now: Duration) -> Result<Pass, BreakerOpenError> {
        match self.position {
            Position::Closed => {}
            Position::Open { until } if now < until => return Err(BreakerOpenError { retry_in: Some(until - now) }),
            Position::Open { .. } => self.turn_to(Position::Probing),
            Position::Probing => return Err(BreakerOpenError { retry_in: None }),
        }
        Ok(Pass { generation: self.generation })
    }

    pub fn record(&mut self, now: Duration, pass: Pass, verdict: Verdict, jitter: &Jitter) -> Option<Transition> {
        if pass.generation != self.generation {
            return None;
        }
        let open_for = match verdict {
            Verdict::Healthy => return self.healthy(now),
            Verdict::Failing => {
                self.failed(now, 0);
                self.is_failing().then(|| self.back_off(jitter))
            }
            Verdict::Distrusted => {
                self.failed(now, self.distrusted_in_a_row.saturating_add(1));
                if self.distrusted_in_a_row >= Self::DISTRUSTED_IN_A_ROW {
                    Some(jitter.up_to(Self::MAX_OPEN))
                } else {
                    self.is_failing().then(|| self.back_off(jitter))
                }
            }
            Verdict::Throttling { retry_after } => {
                self.failed(now, 0);
                // Not shortened: an earlier call would be refused again.
                Some(retry_after.map_or_else(|| self.back_off(jitter), |asked| asked.min(Self::MAX_OPEN)))
            }
        };
        open_for.map(|open_for| {
            self.turn_to(Position::Open { until: now.saturating_add(open_for) });
            Transition::Opened { open_for }
        })
    }

    /// Returns the pass of a call that was dropped, or never sent. The next call may be the probe. After a record it
    /// changes nothing, because the record of a probe ends the probing.
    pub fn release(&mut self, pass: Pass) {
        if pass.generation == self.generation && self.position == Position::Probing {
            self.turn_to(Position::Open { until: Duration::ZERO });
        }
    }

    fn healthy(&mut self, now: Duration) -> Option<Transition> {
        self.failing_in_a_row = 0;
        self.distrusted_in_a_row = 0;
        if self.position != Position::Probing {
            self.recent.note(now, false);
            return None;
        }
        self.recent.clear();
        self.next_open = self.first_open;
        self.turn_to(Position::Closed);
        Some(Transition::Closed)
    }

    fn failed(&mut self, now: Duration, distrusted_in_a_row: u32) {
        self.failing_in_a_row = self.failing_in_a_row.saturating_add(1);
        self.distrusted_in_a_row = distrusted_in_a_row;
        self.recent.note(now, true);
    }

    fn is_failing(&self) -> bool {
        self.position == Position::Probing
            || self.failing_in_a_row >= Self::FAILING_IN_A_ROW
            || self.recent.half_failed()
    }

    /// How long to stay open; doubles each time.
    fn back_off(&mut self, jitter: &Jitter) -> Duration {
        let open_for = self.next_open;
        self.next_open = open_for.saturating_mul(2).min(Self::MAX_OPEN);
        jitter.up_to(open_for)
    }

    fn turn_to(&mut self, position: Position) {
        self.position = position;
        self.generation += 1;
    }
}
