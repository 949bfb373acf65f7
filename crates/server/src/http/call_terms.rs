//! The part of an operation's description that each call needs, small enough to copy per call.

use kuraka_api::Operation;

use crate::metrics::Kind;

/// The terms of a call: its kind, cost and limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallTerms {
    /// The kind that the call is counted as.
    pub(crate) kind: Kind,
    /// The index of the operation in the table.
    pub(crate) index: usize,
    /// Queries that a call costs. An account's daily usage counts only calls that cost at least one.
    pub(crate) cost: u64,
    /// The largest request body in bytes.
    pub(crate) body_limit: usize,
}

impl CallTerms {
    /// For a path or a method that does not exist.
    pub(crate) const OTHER: Self = Self { kind: Kind::OTHER, index: 0, cost: 0, body_limit: 0 };

    /// For the operation with this index in the table.
    pub(crate) fn new(index: usize, operation: &Operation) -> Self {
        let Operation { name, cost, body_limit, .. } = *operation;
        Self { kind: Kind::of_operation(index, name), index, cost, body_limit }
    }
}
