//! The sources behind the API, as the status page shows them: the role and the state of each. Only the operator sees
//! their names and addresses.

use std::sync::Arc;

/// A source as callers may see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// What it is for.
    pub role: Role,
    /// Whether the server queries it.
    pub state: State,
}

/// What a source is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// SUNAT's page about one taxpayer.
    OfficialPage,
    /// A provider that answers when the page does not.
    Provider,
    /// SUNAT's validation of vouchers.
    Vouchers,
}

/// Whether the server queries a source: the state of its circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The server queries it normally.
    Active,
    /// One call tests whether it has recovered.
    Probing,
    /// It failed too often, and the server does not query it for a while.
    Paused,
}

/// Lists every source, in the order in which the server queries them. Never blocks.
pub type Sources = Arc<dyn Fn() -> Vec<Source> + Send + Sync>;
