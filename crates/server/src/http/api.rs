//! The state that the API's handlers share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use actix_web::web::Data;
use kuraka_app::{Admission, ConcurrencyLimit, Places, Refusals, Usage};
use kuraka_connections::TrustedProxies;
use kuraka_ports::{Clock, TokenKind};
use tokio::sync::watch;
use tokio::time::Instant;

use super::dialects::NamedDialect;
use super::documents::Documents;
use super::instance::Instances;
use crate::metrics::Metrics;

pub struct Api {
    pub documents: Data<Documents>,
    pub admission: Arc<Admission>,
    pub live: CallLimits,
    pub test: CallLimits,
    pub instances: Instances,
    pub usage: Arc<Usage>,
    pub refusals: Arc<Refusals>,
    pub dialects: Vec<NamedDialect>,
    /// `compat.tokens_in_query`.
    pub tokens_in_query: bool,
    /// `http.public_url`.
    pub public_url: Option<String>,
    pub metrics: Arc<Metrics>,
    pub clock: Arc<dyn Clock>,
    pub trusted_proxies: TrustedProxies,
    pub draining: Arc<AtomicBool>,
    /// When a stopping server's calls must have ended; `None` = it is not stopping.
    pub drain_ends: watch::Receiver<Option<Instant>>,
}

/// What live or test calls have for themselves, so that neither take from the others.
pub struct CallLimits {
    /// The operations' limits, in the table's order, and that of `/mcp`.
    pub concurrency: Arc<[ConcurrencyLimit]>,
    /// For large answers.
    pub places: Arc<Places>,
}

impl Api {
    pub(super) fn limits(&self, kind: TokenKind) -> &CallLimits {
        match kind {
            TokenKind::Live => &self.live,
            TokenKind::Test => &self.test,
        }
    }
}
