//! What a call needs to know of its operation, small enough to be copied for each.

use kuraka_api::Operation;
use kuraka_ports::daily_usage;

use crate::metrics::Kind;

/// The part of an operation's description that each of its calls uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallTerms {
    /// Where the call is counted.
    pub(crate) kind: Kind,
    /// The name under which the account's usage lists the call; `None` = it does not.
    pub(crate) listed_as: Option<daily_usage::Operation>,
    /// The largest body in bytes.
    pub(crate) body_limit: usize,
}

impl CallTerms {
    /// For a path or a method that does not exist.
    pub(crate) const OTHER: Self = Self { kind: Kind::OTHER, listed_as: None, body_limit: 0 };

    /// For the operation with this index in the table.
    pub(crate) fn new(index: usize, operation: &Operation) -> Self {
        let Operation { name, cost, body_limit, .. } = *operation;
        let listed_as = daily_usage::Operation::ALL.into_iter().find(|known| cost > 0 && known.as_str() == name);
        Self { kind: Kind::of_operation(index, name), listed_as, body_limit }
    }
}
