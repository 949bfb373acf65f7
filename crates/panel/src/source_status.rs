//! The sources on the status page: role and state. Only the operator sees names and addresses.

use std::sync::Arc;

/// A source as callers see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    pub role: Role,
    /// Whether the server queries it.
    pub state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    OfficialPage,
    /// A provider that answers when the page does not.
    Provider,
    Vouchers,
}

/// The state of a source's circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The server queries it normally.
    Active,
    /// One call tests whether it has recovered.
    Probing,
    /// It failed too often and is not queried for a while.
    Paused,
}

/// Every source, in query order. Never blocks.
pub type Sources = Arc<dyn Fn() -> Vec<Source> + Send + Sync>;
