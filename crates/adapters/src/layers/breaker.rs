//! Circuit breaker: stops calling a source that fails, so that callers do not wait for it and the source can recover.
//! After a while, one probe request tests the source.
//!
//! Three parts: [`classify`] says what the result of a call means, [`Machine`] decides, [`Breaker`] wraps the source.
//! Metrics read the state from the [`BreakerHandle`].

mod classify;
mod machine;
mod recent;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use kuraka_domain::{Ruc, Voucher};
use kuraka_ports::{
    Clock, DetailAnswer, SourceError, SourceErrorKind, TaxpayerSource, VoucherAnswer, VoucherValidator,
};

pub use self::classify::{Verdict, classify};
pub use self::machine::{BreakerOpen, BreakerState, Change, Machine, Pass};
use super::Jitter;

/// A source behind a breaker.
///
/// Cancellation: a dropped call says nothing about the source and is not recorded. If it was the probe, the next call
/// is the probe.
pub struct Breaker<S: ?Sized> {
    inner: Arc<S>,
    handle: Arc<BreakerHandle>,
}

/// The shared state of one breaker.
pub struct BreakerHandle {
    source: String,
    machine: Mutex<Machine>,
    clock: Arc<dyn Clock>,
    jitter: Arc<Jitter>,
}

impl BreakerHandle {
    /// A closed breaker. The first time it opens, it opens for `first_open`.
    #[must_use]
    pub fn new(source: &str, first_open: Duration, clock: Arc<dyn Clock>, jitter: Arc<Jitter>) -> Self {
        Self { source: source.to_owned(), machine: Mutex::new(Machine::new(first_open)), clock, jitter }
    }

    /// The source's name in logs and metrics.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The state now, for metrics.
    #[must_use]
    pub fn state(&self) -> BreakerState {
        self.machine().state(self.clock.monotonic())
    }

    /// Awaits `answer` unless the breaker is open, and records the result.
    async fn guard<A>(&self, answer: impl Future<Output = Result<A, SourceError>>) -> Result<A, SourceError> {
        let admitted = self
            .admit()
            .map_err(|open| SourceError::new(self.source.clone(), SourceErrorKind::Unavailable).with_cause(open))?;
        let result = answer.await;
        if let Some(verdict) = classify(&result) {
            admitted.record(verdict);
        }
        result
    }

    fn admit(&self) -> Result<Admitted<'_>, BreakerOpen> {
        let pass = self.machine().admit(self.clock.monotonic())?;
        Ok(Admitted { handle: self, pass: Some(pass) })
    }

    /// The machine is consistent after every call, so a panic elsewhere does not matter.
    fn machine(&self) -> MutexGuard<'_, Machine> {
        self.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, change: Change, verdict: Verdict) {
        match change {
            Change::Opened { open_for } => {
                tracing::warn!(source = self.source, ?open_for, ?verdict, "the breaker has opened");
            }
            Change::Closed => tracing::info!(source = self.source, "the breaker has closed"),
        }
    }
}

impl<S: ?Sized> Breaker<S> {
    /// `inner` behind the breaker with this handle.
    #[must_use]
    pub fn new(inner: Arc<S>, handle: Arc<BreakerHandle>) -> Self {
        Self { inner, handle }
    }

    /// The breaker's state, to be shared with metrics.
    #[must_use]
    pub fn handle(&self) -> &Arc<BreakerHandle> {
        &self.handle
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: TaxpayerSource + ?Sized> TaxpayerSource for Breaker<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        self.handle.guard(self.inner.detail(ruc)).await
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: VoucherValidator + ?Sized> VoucherValidator for Breaker<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        self.handle.guard(self.inner.validate(voucher)).await
    }
}

/// A call under way; released when it is dropped without a verdict.
struct Admitted<'a> {
    handle: &'a BreakerHandle,
    pass: Option<Pass>,
}

impl Admitted<'_> {
    fn record(mut self, verdict: Verdict) {
        let Some(pass) = self.pass.take() else { return };
        let handle = self.handle;
        let change = handle.machine().record(handle.clock.monotonic(), pass, verdict, &handle.jitter);
        if let Some(change) = change {
            handle.tell(change, verdict);
        }
    }
}

impl Drop for Admitted<'_> {
    fn drop(&mut self) {
        if let Some(pass) = self.pass.take() {
            self.handle.machine().release(pass);
        }
    }
}
