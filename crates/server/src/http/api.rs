//! The state that the API's handlers share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use actix_web::web::Data;
use kuraka_app::{
    Admission, ConcurrencyLimit, LookupDetail, LookupHistory, LookupTaxpayer, Refusals, SearchTaxpayers, Usage,
    ValidateVoucher, Watching,
};
use kuraka_connections::TrustedProxies;
use kuraka_panel::Places;
use kuraka_ports::{Clock, Datasets};
use tokio::sync::watch;
use tokio::time::Instant;

use super::dialects::NamedDialect;
use super::documents::Documents;
use crate::metrics::Metrics;

/// The state of the API's handlers.
pub struct Api {
    /// `/openapi.json` and `/llms.txt`.
    pub documents: Data<Documents>,
    /// Authenticates callers, and admits and charges their calls.
    pub admission: Arc<Admission>,
    /// The operations' limits, in the table's order, and that of `/mcp`.
    pub concurrency: Arc<[ConcurrencyLimit]>,
    /// The state of the datasets.
    pub datasets: Arc<dyn Datasets>,
    /// The lookups in the published files.
    pub lookup_taxpayer: Arc<LookupTaxpayer>,
    /// `POST /ruc-historial`.
    pub lookup_history: Arc<LookupHistory>,
    /// `POST /ruc-busqueda`.
    pub search_taxpayers: Arc<SearchTaxpayers>,
    /// `POST /ruc-official`.
    pub lookup_detail: LookupDetail,
    /// `POST /cpe`.
    pub validate_voucher: Arc<ValidateVoucher>,
    /// `/seguimiento` and `/cambios`.
    pub watching: Arc<Watching>,
    /// The used queries of accounts.
    pub usage: Arc<Usage>,
    /// Sums refused tokens.
    pub refusals: Arc<Refusals>,
    /// The providers whose clients are served too.
    pub dialects: Vec<NamedDialect>,
    /// `compat.tokens_in_query`.
    pub tokens_in_query: bool,
    /// `http.public_url`.
    pub public_url: Option<String>,
    /// Counts the answers.
    pub metrics: Arc<Metrics>,
    /// The time of day, and durations.
    pub clock: Arc<dyn Clock>,
    /// The proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: TrustedProxies,
    /// Whether the server is stopping.
    pub draining: Arc<AtomicBool>,
    /// When a stopping server's calls must have ended; `None` = it is not stopping.
    pub drain_ends: watch::Receiver<Option<Instant>>,
    /// For large answers.
    pub places: Arc<Places>,
}
