//! An admitted and charged call.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use kuraka_domain::ResultCode;
use kuraka_ports::Period;

use super::{Caller, LimitStatus};

/// The operation that a call is counted as.
#[derive(Clone, Copy, Debug)]
pub struct CalledOperation {
    /// The operation's name.
    pub name: &'static str,
    /// The operation's index in the list that the meters were created with.
    pub index: usize,
    /// Whether an account's daily usage has the calls of the operation.
    pub in_usage: bool,
}

/// A call that is admitted and charged; no use case runs without one. Only [`Admission`](super::Admission) makes it.
///
/// Dropping it counts its result for the account's daily usage. A call that has no result, because its client
/// disconnected, stays charged and is not counted.
pub struct ChargedCall {
    /// The caller, identified by its token or its session.
    pub caller: Arc<Caller>,
    /// The operation.
    pub operation: CalledOperation,
    period: Period,
    queries: Cell<u64>,
    limits: Cell<LimitStatus>,
    result: Cell<Option<ResultCode>>,
    cause: RefCell<Option<String>>,
}

impl ChargedCall {
    pub(super) const fn new(
        caller: Arc<Caller>,
        operation: CalledOperation,
        (period, queries): (Period, u64),
        limits: LimitStatus,
    ) -> Self {
        Self {
            caller,
            operation,
            period,
            queries: Cell::new(queries),
            limits: Cell::new(limits),
            result: Cell::new(None),
            cause: RefCell::new(None),
        }
    }

    /// The charged month.
    #[must_use]
    pub const fn period(&self) -> Period {
        self.period
    }

    /// Queries that are charged and not refunded.
    #[must_use]
    pub fn queries(&self) -> u64 {
        self.queries.get()
    }

    /// The caller's rate and quota after the charge or the refund.
    #[must_use]
    pub fn limits(&self) -> LimitStatus {
        self.limits.get()
    }

    /// The result, if the call has ended.
    #[must_use]
    pub fn result(&self) -> Option<ResultCode> {
        self.result.get()
    }

    /// Takes the cause of a missing answer, for the log.
    #[must_use]
    pub fn take_cause(&self) -> Option<String> {
        self.cause.take()
    }

    /// Sets the result. An error of the server is refunded.
    pub fn end(&self, code: ResultCode) {
        self.result.set(Some(code));
        if code == ResultCode::InternalError {
            self.refund();
        }
    }

    /// Sets the result, and why some or all of the answer is missing.
    pub fn end_because(&self, code: ResultCode, cause: Option<String>) {
        self.end(code);
        self.cause.replace(cause);
    }

    /// Refunds what is charged, to the month that was charged.
    pub fn refund(&self) {
        let quota = &self.caller.meter.quota;
        quota.refund(self.period, self.queries.take());
        let left = quota.peek(&self.caller.plan, self.period);
        self.limits.set(LimitStatus { left, ..self.limits.get() });
    }

    /// Adds a charge that left so many queries.
    pub(super) fn add(&self, queries: u64, left: u64) {
        self.queries.set(self.queries.get() + queries);
        self.limits.set(LimitStatus { left: Some(left), ..self.limits.get() });
    }
}

impl Drop for ChargedCall {
    fn drop(&mut self) {
        if let Some(code) = self.result.get() {
            self.caller.count(self.operation, code);
        }
    }
}
