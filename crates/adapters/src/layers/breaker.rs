//! Breaker: stops asking a source that does not answer, so that callers are not kept waiting and the source is left
//! in peace; asks again after a while with one probe.
//!
//! Three pieces: [`classify`] says what the end of a call means, [`Machine`] decides, [`Breaker`] acts. Its [`BreakerHandle`]
//! is what others may watch.

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

/// A source that is left in peace while it does not answer.
///
/// Cancellation: a dropped call says nothing about the source and is not recorded; if it was the probe, the next call
/// is the probe.
pub struct Breaker<S: ?Sized> {
    inner: Arc<S>,
    switch: Arc<BreakerHandle>,
}

/// Whether a source is asked for the time being.
pub struct BreakerHandle {
    source: String,
    machine: Mutex<Machine>,
    clock: Arc<dyn Clock>,
    jitter: Arc<Jitter>,
}

impl BreakerHandle {
    /// Closed; it opens for `first_open` at first.
    #[must_use]
    pub fn new(source: &str, first_open: Duration, clock: Arc<dyn Clock>, jitter: Arc<Jitter>) -> Self {
        Self { source: source.to_owned(), machine: Mutex::new(Machine::new(first_open)), clock, jitter }
    }

    /// The source in a word.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The state now, for metrics.
    #[must_use]
    pub fn state(&self) -> BreakerState {
        self.machine().state(self.clock.monotonic())
    }

    /// Lets `answer` come to its end, unless the switch is open, and learns from it.
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
        Ok(Admitted { switch: self, pass: Some(pass) })
    }

    /// The machine is whole at every instant, so that a panic elsewhere does not matter.
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
    /// `inner` behind this switch.
    #[must_use]
    pub fn new(inner: Arc<S>, switch: Arc<BreakerHandle>) -> Self {
        Self { inner, switch }
    }

    /// What others may watch of it.
    #[must_use]
    pub fn switch(&self) -> &Arc<BreakerHandle> {
        &self.switch
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: TaxpayerSource + ?Sized> TaxpayerSource for Breaker<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        self.switch.guard(self.inner.detail(ruc)).await
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: VoucherValidator + ?Sized> VoucherValidator for Breaker<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        self.switch.guard(self.inner.validate(voucher)).await
    }
}

/// A call under way; released when it is dropped without a verdict.
struct Admitted<'a> {
    switch: &'a BreakerHandle,
    pass: Option<Pass>,
}

impl Admitted<'_> {
    fn record(mut self, verdict: Verdict) {
        let Some(pass) = self.pass.take() else { return };
        let switch = self.switch;
        let change = switch.machine().record(switch.clock.monotonic(), pass, verdict, &switch.jitter);
        if let Some(change) = change {
            switch.tell(change, verdict);
        }
    }
}

impl Drop for Admitted<'_> {
    fn drop(&mut self) {
        if let Some(pass) = self.pass.take() {
            self.switch.machine().release(pass);
        }
    }
}
