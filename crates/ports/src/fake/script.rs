//! The controls of scripted sources: requests are recorded, and can be delayed, left unanswered or failed.

use std::collections::HashMap;
use std::future;
use std::hash::Hash;
use std::sync::Mutex;
use std::time::Duration;

use super::lock;
use crate::SourceErrorKind;

/// Waits on tokio's time, and like a real source never answers at the first poll.
#[derive(Debug)]
pub struct Script<Q>(Mutex<State<Q>>);

#[derive(Debug)]
struct State<Q> {
    failures: HashMap<Q, SourceErrorKind>,
    failure: Option<SourceErrorKind>,
    delay: Duration,
    hung: bool,
    asked: Vec<Q>,
    in_flight: usize,
}

impl<Q: Copy + Eq + Hash> Script<Q> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(State {
            failures: HashMap::new(),
            failure: None,
            delay: Duration::ZERO,
            hung: false,
            asked: Vec::new(),
            in_flight: 0,
        }))
    }

    /// `None` = the source works again.
    pub fn fail(&self, kind: impl Into<Option<SourceErrorKind>>) {
        lock(&self.0).failure = kind.into();
    }

    pub fn fail_for(&self, question: Q, kind: SourceErrorKind) {
        lock(&self.0).failures.insert(question, kind);
    }

    /// Failures are delayed too.
    pub fn delay(&self, delay: Duration) {
        lock(&self.0).delay = delay;
    }

    pub fn hang(&self, hung: bool) {
        lock(&self.0).hung = hung;
    }

    /// In order.
    pub fn asked(&self) -> Vec<Q> {
        lock(&self.0).asked.clone()
    }

    /// Neither answered nor dropped.
    pub fn in_flight(&self) -> usize {
        lock(&self.0).in_flight
    }

    /// Records a request and waits as scripted; returns the scripted failure.
    pub(super) async fn play(&self, question: Q) -> Result<(), SourceErrorKind> {
        let (_in_flight, delay) = self.begin(question);
        match delay {
            None => future::pending().await,
            Some(Duration::ZERO) => tokio::task::yield_now().await,
            Some(delay) => tokio::time::sleep(delay).await,
        }
        let state = lock(&self.0);
        state.failure.or_else(|| state.failures.get(&question).copied()).map_or(Ok(()), Err)
    }

    /// `None` = it is never answered.
    fn begin(&self, question: Q) -> (InFlight<'_, Q>, Option<Duration>) {
        let mut state = lock(&self.0);
        state.asked.push(question);
        state.in_flight += 1;
        (InFlight(&self.0), (!state.hung).then_some(state.delay))
    }
}

/// Counts a request until it is dropped.
struct InFlight<'a, Q>(&'a Mutex<State<Q>>);

impl<Q> Drop for InFlight<'_, Q> {
    fn drop(&mut self) {
        lock(self.0).in_flight -= 1;
    }
}
