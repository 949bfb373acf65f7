//! An admitted and charged call.

use std::mem;
use std::sync::Arc;

use kuraka_domain::ResultCode;
use kuraka_ports::Period;
use parking_lot::Mutex;

use super::{CalledOperation, Caller};
use crate::metering::rate::RateState;

/// A caller's rate and quota after a call, as the answer's headers report them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitStatus {
    /// Calls that may be made at once, and the time until the burst is full.
    pub rate: RateState,
    /// Queries left in the period, as far as this process knows; `None` before its first query to the ledger.
    pub left: Option<u64>,
    /// In seconds.
    pub period_seconds: u64,
    /// Seconds until the next period.
    pub seconds_left: u64,
}

/// An admitted and charged call; no charged answer is made without one. Only [`Admission`](super::Admission)
/// makes it.
///
/// Dropping it counts its result for the daily usage. A call without a result, because its client disconnected, stays
/// charged and is not counted. After a panic the call is ended with [`ResultCode::InternalError`], which refunds it.
pub struct ChargedCall {
    pub caller: Arc<Caller>,
    pub operation: CalledOperation,
    pub period: Period,
    pub(super) state: Mutex<CallState>,
}

pub(super) struct CallState {
    pub(super) queries: u64,
    pub(super) limits: LimitStatus,
    pub(super) result: Option<ResultCode>,
    pub(super) cause: Option<String>,
}

impl ChargedCall {
    /// Queries charged and not refunded.
    pub fn queries(&self) -> u64 {
        self.state.lock().queries
    }

    /// Rate and quota after the charge or the refund.
    pub fn limits(&self) -> LimitStatus {
        self.state.lock().limits
    }

    pub fn result(&self) -> Option<ResultCode> {
        self.state.lock().result
    }

    /// Takes the cause of a missing answer, for the log.
    pub fn take_cause(&self) -> Option<String> {
        self.state.lock().cause.take()
    }

    /// Sets the result, and why the answer is missing in part or whole. A result that is not charged is refunded.
    pub fn end(&self, code: ResultCode, cause: Option<String>) {
        let mut state = self.state.lock();
        (state.result, state.cause) = (Some(code), cause);
        drop(state);
        if !code.is_charged() {
            self.refund();
        }
    }

    /// To the charged month.
    pub fn refund(&self) {
        let (quota, mut state) = (&self.caller.meter.quota, self.state.lock());
        quota.refund(self.period, mem::take(&mut state.queries));
        state.limits.left = self.caller.left(self.period);
    }
}

impl Drop for ChargedCall {
    fn drop(&mut self) {
        if let Some(code) = self.state.get_mut().result {
            self.caller.count(self.operation, code);
        }
    }
}
