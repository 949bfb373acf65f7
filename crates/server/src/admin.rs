//! The admin listener: health, readiness, metrics, and the current edition for other machines to fetch. It requires no
//! token and must not be reachable from the public network.

use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_files::NamedFile;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::{ErrorInternalServerError, ErrorNotFound};
use actix_web::http::header;
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, HttpResponse, web};
use futures_util::FutureExt;
use kuraka_adapters::layers::BreakerHandle;
use kuraka_adapters::registry::{DatasetAttempt, EmbeddedRegistry, RegistryState};
use kuraka_app::{AccountMeters, Places};
use kuraka_domain::Date;
use kuraka_ports::{TaxpayerRegistry, Tokens};
use kuraka_registry::List;
use kuraka_registry::dataset::{self, PADRON};
use serde::Serialize;
use tokio::time::timeout;

use crate::background::JobHealth;
use crate::datasets::{DatasetStatus, ServedDatasets};
use crate::metrics::Metrics;

/// How long `/readyz` waits for the store.
const STORE_ANSWERS_WITHIN: Duration = Duration::from_secs(1);

/// The state that the admin listener reports.
pub struct Admin {
    /// Returns the edition that is being served.
    pub registry: Arc<EmbeddedRegistry>,
    /// The breakers of all sources.
    pub breakers: Vec<Arc<BreakerHandle>>,
    /// The state of the datasets.
    pub datasets: Arc<ServedDatasets>,
    /// The registry's folder.
    pub registry_dir: PathBuf,
    /// The store, queried to check that it answers.
    pub store: Arc<dyn Tokens>,
    /// Reports whether the last write to the store succeeded.
    pub meters: Arc<AccountMeters>,
    /// True once the server is stopping.
    pub draining: Arc<AtomicBool>,
    /// Whether the server needs an edition to be ready although none was ever published: the settings fetch one.
    pub needs_edition: bool,
    /// The places for calls in progress, by operation.
    pub places: Arc<[Places]>,
    /// When the background jobs last succeeded.
    pub jobs: Arc<JobHealth>,
    /// The metrics of `/metrics`.
    pub metrics: Arc<Metrics>,
}

/// The body of `/readyz`, the same with 200 and with 503.
#[derive(Serialize)]
struct Readiness {
    ready: bool,
    draining: bool,
    store: &'static str,
    /// The jobs that have not succeeded for too long.
    stalled_jobs: Vec<&'static str>,
    registry: Registry,
    /// Only the padrón's problems make the server unready, and they are in `registry`.
    datasets: Vec<DatasetRecord>,
    /// An open breaker does not make the server unready, because all other operations work.
    sources: Vec<Source>,
}

#[derive(Serialize)]
struct Source {
    name: String,
    breaker: &'static str,
}

#[derive(Serialize)]
struct Registry {
    state: &'static str,
    edition: Option<Arc<str>>,
    rows: Option<u64>,
    withholding_list: Option<&'static str>,
    good_taxpayer_list: Option<&'static str>,
}

#[derive(Serialize)]
struct DatasetRecord {
    name: &'static str,
    state: &'static str,
    edition: Option<Arc<str>>,
    date: Option<Date>,
    age_days: Option<i32>,
    rows: Option<u64>,
    last_try: Option<DatasetAttempt>,
}

/// Adds the routes of the admin listener.
pub fn routes(service: &mut web::ServiceConfig) {
    let routes = web::scope("")
        .wrap(from_fn(answer_panics))
        .route("/healthz", web::get().to(healthz))
        .route("/readyz", web::get().to(readyz))
        .route("/metrics", web::get().to(metrics))
        .route("/edition", web::get().to(edition))
        .route("/edition/{dataset}", web::get().to(dataset_edition));
    service.service(routes);
}

/// A middleware that answers 500 if a handler panics.
async fn answer_panics<B: MessageBody>(request: ServiceRequest, next: Next<B>) -> Result<ServiceResponse<B>, Error> {
    let answer = AssertUnwindSafe(async { next.call(request).await }).catch_unwind().await;
    answer.unwrap_or_else(|_| Err(ErrorInternalServerError("a panic: see the log")))
}

async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(serde_json::json!({ "alive": true }))
}

async fn readyz(admin: web::Data<Admin>) -> HttpResponse {
    let readiness = admin.readiness().await;
    let mut response = if readiness.ready { HttpResponse::Ok() } else { HttpResponse::ServiceUnavailable() };
    response.json(readiness)
}

async fn metrics(admin: web::Data<Admin>) -> HttpResponse {
    for breaker in &admin.breakers {
        admin.metrics.set_breaker_state(breaker.source(), breaker.state());
    }
    admin.metrics.set_calls_in_progress(admin.places.iter().map(Places::taken));
    admin.metrics.set_datasets(&admin.datasets.statuses());
    admin.metrics.set_ready(admin.readiness().await.ready);
    match admin.metrics.print() {
        Ok(page) => HttpResponse::Ok()
            .insert_header((header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8"))
            .body(page),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

/// Serves the file of the padrón's current edition.
async fn edition(admin: web::Data<Admin>) -> Result<NamedFile, Error> {
    current_edition(&admin, &PADRON).await
}

/// Serves the file of a dataset's current edition.
async fn dataset_edition(admin: web::Data<Admin>, name: web::Path<String>) -> Result<NamedFile, Error> {
    current_edition(&admin, dataset::named(&name).map_err(ErrorNotFound)?).await
}

/// The current edition's file. Supports ranges and conditional requests.
async fn current_edition(admin: &Admin, dataset: &'static dataset::Dataset) -> Result<NamedFile, Error> {
    let folder = admin.registry_dir.clone();
    let kept = web::block(move || kuraka_registry::dataset_editions(&folder, dataset)).await?;
    let current = kept.map_err(ErrorInternalServerError)?.into_iter().find(|kept| kept.current);
    let current = current.ok_or_else(|| ErrorNotFound("no edition was published here"))?;
    Ok(NamedFile::open(current.path)?)
}

impl Admin {
    async fn readiness(&self) -> Readiness {
        let draining = self.draining.load(Ordering::Acquire);
        // The store never reaches this revision, so its answer lists no changes.
        let asked = timeout(STORE_ANSWERS_WITHIN, self.store.changes(u64::MAX)).await;
        let store = match (matches!(asked, Ok(Ok(_))), self.meters.store_takes_writes()) {
            (true, true) => "reachable",
            (true, false) => "takes no writes",
            (false, _) => "out of reach",
        };
        let stalled_jobs = self.jobs.stalled();
        let edition = self.registry.edition();
        let (state, registry_answers) = match self.registry.state() {
            RegistryState::Loaded => ("loaded", true),
            RegistryState::Fallback => ("fallback", true),
            RegistryState::Unreadable => ("unreadable", false),
            RegistryState::Unusable => ("unusable", false),
            RegistryState::NeverImported => ("never imported", !self.needs_edition),
        };
        let imported = |has: bool| if has { "imported" } else { "never imported" };
        let edition = edition.as_deref();
        Readiness {
            ready: !draining && store == "reachable" && stalled_jobs.is_empty() && registry_answers,
            draining,
            stalled_jobs,
            store,
            registry: Registry {
                state,
                edition: edition.map(|edition| Arc::clone(&edition.label)),
                rows: edition.map(|edition| edition.rows),
                withholding_list: edition.map(|edition| imported(edition.has_list(List::WITHHOLDING_AGENTS.code))),
                good_taxpayer_list: edition.map(|edition| imported(edition.has_list(List::GOOD_TAXPAYERS.code))),
            },
            datasets: self.datasets.statuses().into_iter().map(DatasetRecord::from).collect(),
            sources: self
                .breakers
                .iter()
                .map(|breaker| Source { name: breaker.source().to_owned(), breaker: breaker.state().as_str() })
                .collect(),
        }
    }
}

impl From<DatasetStatus> for DatasetRecord {
    fn from(status: DatasetStatus) -> Self {
        let edition = status.edition.as_ref();
        Self {
            name: status.dataset.name,
            state: status.state.as_str(),
            edition: edition.map(|edition| Arc::clone(&edition.label)),
            date: edition.map(|edition| edition.date),
            age_days: status.age_days,
            rows: edition.map(|edition| edition.rows),
            last_try: status.last_attempt,
        }
    }
}
