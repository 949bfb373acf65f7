//! Metered: reports to an observer how each call ended and how long it took.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_domain::{Ruc, Voucher, VoucherStatus};
use kuraka_ports::{
    Clock, DetailAnswer, SourceError, SourceErrorKind, TaxpayerSource, VoucherAnswer, VoucherValidator,
};

/// Counts calls. It runs on the caller's path, so it must not block.
pub trait Observer: Send + Sync + 'static {
    /// Counts one call that has ended.
    fn observe(&self, call: Observation<'_>);
}

/// One call that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation<'a> {
    /// The name of the source.
    pub source: &'a str,
    /// How the call ended.
    pub outcome: CallResult,
    /// How long the call took.
    pub latency: Duration,
}

/// How a call ended. The set is closed, so that a metric can have it as a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallResult {
    /// The source gave a record.
    Found,
    /// The source said that there is no such RUC, or that it knows no such voucher.
    NotFound,
    /// The call failed with an error of this kind.
    Failed(SourceErrorKind),
    /// The caller disconnected before the call ended.
    Dropped,
}

impl CallResult {
    /// The end of a call that was not dropped; `is_there` says whether an answer is about something that exists.
    fn of<A>(result: &Result<A, SourceError>, is_there: impl FnOnce(&A) -> bool) -> Self {
        match result {
            Ok(answer) if is_there(answer) => Self::Found,
            Ok(_) => Self::NotFound,
            Err(error) => Self::Failed(error.kind),
        }
    }

    /// The outcome in one word, for logs and metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::NotFound => "not_found",
            Self::Failed(kind) => kind.as_str(),
            Self::Dropped => "dropped",
        }
    }
}

/// A source whose calls are observed.
///
/// Cancellation: a dropped call is reported as [`CallResult::Dropped`] with the time until then.
pub struct Metered<S: ?Sized> {
    inner: Arc<S>,
    observer: Arc<dyn Observer>,
    clock: Arc<dyn Clock>,
}

impl<S: ?Sized> Metered<S> {
    /// `inner`, observed.
    #[must_use]
    pub fn new(inner: Arc<S>, observer: Arc<dyn Observer>, clock: Arc<dyn Clock>) -> Self {
        Self { inner, observer, clock }
    }

    /// A call to `source` that begins now.
    fn begin<'a>(&'a self, source: &'a str) -> Call<'a> {
        let (observer, clock) = (&*self.observer, &*self.clock);
        Call { source, observer, clock, started: clock.monotonic(), outcome: CallResult::Dropped }
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: TaxpayerSource + ?Sized> TaxpayerSource for Metered<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        let mut call = self.begin(self.inner.name());
        let result = self.inner.detail(ruc).await;
        call.outcome = CallResult::of(&result, |answer| answer.taxpayer.is_some());
        result
    }
}

#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl<S: VoucherValidator + ?Sized> VoucherValidator for Metered<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    async fn validate(&self, voucher: Voucher) -> Result<VoucherAnswer, SourceError> {
        let mut call = self.begin(self.inner.name());
        let result = self.inner.validate(voucher).await;
        call.outcome = CallResult::of(&result, |answer| answer.validation.status != VoucherStatus::NotFound);
        result
    }
}

/// A call in flight; reported when it is dropped, which happens however the call ends.
struct Call<'a> {
    source: &'a str,
    observer: &'a dyn Observer,
    clock: &'a dyn Clock,
    started: Duration,
    outcome: CallResult,
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let latency = self.clock.monotonic().saturating_sub(self.started);
        self.observer.observe(Observation { source: self.source, outcome: self.outcome, latency });
    }
}
