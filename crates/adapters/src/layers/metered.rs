//! Metered: reports each call's result and time to an observer.

use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::{Clock, SourceError, SourceErrorKind};

use super::layer::{Answer, Layer};

/// Counts calls on the caller's path, so it must not block.
pub trait Observer: Send + Sync + 'static {
    fn observe(&self, source: &str, outcome: CallResult, latency: Duration);
}

/// A closed set, because it is a metric's label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallResult {
    Found,
    /// There is no such RUC, or no such voucher.
    NotFound,
    Failed(SourceErrorKind),
    /// The caller disconnected before the call ended.
    Dropped,
}

impl CallResult {
    pub const ALL: [Self; 11] = [
        Self::Found,
        Self::NotFound,
        Self::Failed(SourceErrorKind::Unavailable),
        Self::Failed(SourceErrorKind::Throttled { retry_after: None }),
        Self::Failed(SourceErrorKind::Refused),
        Self::Failed(SourceErrorKind::Credentials),
        Self::Failed(SourceErrorKind::Unreadable),
        Self::Failed(SourceErrorKind::Rejected),
        Self::Failed(SourceErrorKind::UnverifiedAbsence),
        Self::Failed(SourceErrorKind::HeldBack),
        Self::Dropped,
    ];

    fn from_result<A: Answer>(result: &Result<A, SourceError>) -> Self {
        match result {
            Ok(answer) if answer.is_found() => Self::Found,
            Ok(_) => Self::NotFound,
            Err(error) => Self::Failed(error.kind),
        }
    }

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

/// Cancellation: a dropped call is reported as [`CallResult::Dropped`].
pub struct Metered {
    observer: Arc<dyn Observer>,
    clock: Arc<dyn Clock>,
}

impl Metered {
    pub fn new(observer: Arc<dyn Observer>, clock: Arc<dyn Clock>) -> Self {
        Self { observer, clock }
    }
}

impl Layer for Metered {
    async fn around<A: Answer>(
        &self,
        source: &str,
        request: impl Future<Output = Result<A, SourceError>> + Send,
    ) -> Result<A, SourceError> {
        let started = self.clock.monotonic();
        let mut call = Call { source, metered: self, started, outcome: CallResult::Dropped };
        let result = request.await;
        call.outcome = CallResult::from_result(&result);
        result
    }
}

/// A call in flight, reported on drop.
struct Call<'a> {
    source: &'a str,
    metered: &'a Metered,
    started: Duration,
    outcome: CallResult,
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        let latency = self.metered.clock.monotonic().saturating_sub(self.started);
        self.metered.observer.observe(self.source, self.outcome, latency);
    }
}
