//! Circuit breaker: stops calling a failing source, so that callers do not wait and the source can recover. After a
//! while, one probe request tests it. [`classify`] judges a call's result, [`Machine`] decides, [`Breaker`] is the
//! layer.

mod classify;
mod machine;
mod recent;

use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::{Clock, SourceError, SourceErrorKind};
use parking_lot::Mutex;

pub use self::classify::{Verdict, classify};
pub use self::machine::{BreakerOpenError, BreakerState, Machine, Pass, Transition};
use super::Jitter;
use super::layer::{Answer, Layer};

/// Cancellation: a dropped call is not recorded. If it was the probe, the next call is the probe.
pub struct Breaker {
    source: String,
    machine: Mutex<Machine>,
    clock: Arc<dyn Clock>,
    jitter: Arc<Jitter>,
}

impl Breaker {
    /// Opens for `first_open` the first time.
    pub fn new(source: &str, first_open: Duration, clock: Arc<dyn Clock>, jitter: Arc<Jitter>) -> Self {
        Self { source: source.to_owned(), machine: Mutex::new(Machine::new(first_open)), clock, jitter }
    }

    pub fn source(&self) -> &str {
        &self.source
    }

    pub fn state(&self) -> BreakerState {
        self.machine.lock().state(self.clock.monotonic())
    }
}

impl Layer for Arc<Breaker> {
    async fn around<A: Answer>(
        &self,
        source: &str,
        request: impl Future<Output = Result<A, SourceError>> + Send,
    ) -> Result<A, SourceError> {
        let refused = |open| SourceError::new(source.to_owned(), SourceErrorKind::Unavailable).with_cause(open);
        let pass = self.machine.lock().admit(self.clock.monotonic()).map_err(refused)?;
        let admitted = Admitted { breaker: self, pass };
        let result = request.await;
        if let Some(verdict) = classify(&result) {
            admitted.record(verdict);
        }
        result
    }
}

/// A call in progress. Its pass is released when it ends, which matters only without a verdict.
struct Admitted<'a> {
    breaker: &'a Breaker,
    pass: Pass,
}

impl Admitted<'_> {
    fn record(&self, verdict: Verdict) {
        let Self { breaker, pass } = *self;
        let change = breaker.machine.lock().record(breaker.clock.monotonic(), pass, verdict, &breaker.jitter);
        match change {
            Some(Transition::Opened { open_for }) => {
                tracing::warn!(source = breaker.source, ?open_for, ?verdict, "the breaker has opened");
            }
            Some(Transition::Closed) => tracing::info!(source = breaker.source, "the breaker has closed"),
            None => {}
        }
    }
}

impl Drop for Admitted<'_> {
    fn drop(&mut self) {
        self.breaker.machine.lock().release(self.pass);
    }
}
