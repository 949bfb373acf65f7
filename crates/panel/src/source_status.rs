//! The sources on the status page: role and state. Only the operator sees names and addresses.

use std::sync::Arc;

use actix_web::web::Bytes;
use parking_lot::RwLock;

/// A source as callers see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    pub role: Role,
    /// Whether the server queries it.
    pub state: State,
}

kuraka_ports::words! {
    /// As words: in `/estado.json`. All providers have the same.
    pub enum Role {
        OfficialPage = "pagina_oficial",
        /// A provider that answers when the page does not.
        Provider = "respaldo",
        Vouchers = "comprobantes",
    }
}

/// The state of a source's circuit breaker, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

/// The latest page of the service.
pub struct ServiceStatus {
    pub(crate) is_public: bool,
    pub(crate) written: RwLock<Written>,
}

#[derive(Clone, Default)]
pub(crate) struct Written {
    /// Of the page with a menu.
    pub(crate) body: Arc<str>,
    pub(crate) page: Bytes,
    pub(crate) json: Bytes,
}

impl ServiceStatus {
    /// `is_public`: without a log-in.
    pub fn new(is_public: bool) -> Self {
        Self { is_public, written: RwLock::default() }
    }
}
