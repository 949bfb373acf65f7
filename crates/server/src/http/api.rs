//! The state that all handlers of the API share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use actix_web::web::Data;
use kuraka_app::{
    Admission, ConcurrencyLimit, LookupDetail, LookupHistory, LookupTaxpayer, SearchTaxpayers, Usage, ValidateVoucher,
    Watching,
};
use kuraka_connections::TrustedProxies;
use kuraka_ports::{Clock, Datasets};
use tokio::sync::watch;
use tokio::time::Instant;

use super::dialects::NamedDialect;
use super::documents::Documents;
use crate::metrics::Metrics;

/// The shared state of the API's handlers.
pub struct Api {
    /// `/openapi.json` and `/llms.txt`.
    pub documents: Data<Documents>,
    /// Authenticates callers, and admits and charges their calls.
    pub admission: Arc<Admission>,
    /// The limits of calls in progress, in the order of the table of operations.
    pub concurrency: Arc<[ConcurrencyLimit]>,
    /// The state of the datasets.
    pub datasets: Arc<dyn Datasets>,
    /// The use case of the lookups in the published files.
    pub lookup_taxpayer: Arc<LookupTaxpayer>,
    /// The use case of `POST /ruc-historial`.
    pub lookup_history: Arc<LookupHistory>,
    /// The use case of `POST /ruc-busqueda`.
    pub search_taxpayers: Arc<SearchTaxpayers>,
    /// The use case of `POST /ruc-official`.
    pub lookup_detail: LookupDetail,
    /// The use case of `POST /cpe`.
    pub validate_voucher: Arc<ValidateVoucher>,
    /// The use cases of `/seguimiento` and `/cambios`.
    pub watching: Arc<Watching>,
    /// The used queries of accounts.
    pub usage: Arc<Usage>,
    /// The providers whose clients are served too.
    pub dialects: Vec<NamedDialect>,
    /// `compat.tokens_in_query`.
    pub tokens_in_query: bool,
    /// Counts the answers.
    pub metrics: Arc<Metrics>,
    /// The time of day, and durations.
    pub clock: Arc<dyn Clock>,
    /// The proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: TrustedProxies,
    /// True once the server is stopping.
    pub draining: Arc<AtomicBool>,
    /// When a stopping server's calls in progress must have ended; `None` = it is not stopping yet.
    pub drain_ends: watch::Receiver<Option<Instant>>,
}
