//! The admin listener: health, readiness, metrics, and editions for other machines. It requires no token and must not
//! be reachable from the public network.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actix_files::NamedFile;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::{ErrorForbidden, ErrorInternalServerError, ErrorNotFound};
use actix_web::http::header;
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, HttpResponse, web};
use futures_util::FutureExt;
use kuraka_adapters::datasets::exchange_rates;
use kuraka_adapters::layers::Breaker;
use kuraka_app::{AccountMeters, ConcurrencyLimit, disagreements};
use kuraka_domain::Date;
use kuraka_ports::{DatasetAttempt, DatasetProgress, DatasetStatus, Datasets, EditionOrigin, Revision, Tokens};
use kuraka_registry::dataset;
use serde::Serialize;
use tokio::time::timeout;

use crate::background::JobHealth;
use crate::metrics::Metrics;

/// How long `/readyz` waits for the store.
const STORE_ANSWERS_WITHIN: Duration = Duration::from_secs(1);

/// The state of the admin listener, which listens before the store is opened.
pub struct Admin {
    pub metrics: Arc<Metrics>,
    pub datasets_dir: PathBuf,
    /// Empty until the server listens.
    pub server: OnceLock<ServerParts>,
}

pub struct ServerParts {
    pub breakers: Vec<Arc<Breaker>>,
    pub datasets: Arc<dyn Datasets>,
    pub store: Arc<dyn Tokens>,
    pub meters: Arc<AccountMeters>,
    pub draining: Arc<AtomicBool>,
    pub concurrency: Arc<[ConcurrencyLimit]>,
    pub jobs: Arc<JobHealth>,
}

/// The body of `/readyz`, with 200 and 503.
#[derive(Default, Serialize)]
struct Readiness {
    ready: bool,
    draining: bool,
    store: &'static str,
    stalled_jobs: Vec<&'static str>,
    datasets: Vec<DatasetRecord>,
    /// An open breaker does not make the server unready, because all other operations work.
    sources: Vec<Source>,
}

#[derive(Serialize)]
struct Source {
    name: String,
    breaker: &'static str,
}

/// A dataset in `/readyz`, and in `kuraka dataset list --json`.
#[derive(Serialize)]
pub struct DatasetRecord {
    pub name: &'static str,
    pub state: &'static str,
    pub edition: Option<Arc<str>>,
    pub date: Option<Date>,
    pub age_days: Option<i32>,
    pub is_too_old: bool,
    pub is_sample: bool,
    /// Whether the history lacks the edition, so that `/ruc-historial` does not answer.
    pub lacks_history: bool,
    pub rows: Option<u64>,
    pub last_attempt: Option<DatasetAttempt>,
    pub progress: Option<DatasetProgress>,
}

pub fn routes(service: &mut web::ServiceConfig) {
    let routes = web::scope("")
        .wrap(from_fn(answer_panics))
        .wrap(from_fn(check_host))
        .route("/healthz", web::get().to(healthz))
        .route("/readyz", web::get().to(readyz))
        .route("/healthz", web::head().to(healthz))
        .route("/readyz", web::head().to(readyz))
        .route("/metrics", web::get().to(metrics))
        .route("/metrics", web::head().to(metrics))
        .route("/edition/{dataset}", web::get().to(edition))
        .route("/edition/{dataset}/changes", web::get().to(lists))
        .route("/edition/{dataset}/changes/{list}", web::get().to(list));
    service.service(routes);
}

/// Answers 500 if a handler panics.
async fn answer_panics<B: MessageBody>(request: ServiceRequest, next: Next<B>) -> Result<ServiceResponse<B>, Error> {
    let answer = AssertUnwindSafe(async { next.call(request).await }).catch_unwind().await;
    answer.unwrap_or_else(|_| Err(ErrorInternalServerError("a panic: see the log")))
}

/// Refuses a name of the public DNS in `Host`: by DNS rebinding, a page under such a name could read this listener from
/// the operator's browser.
async fn check_host<B: MessageBody>(request: ServiceRequest, next: Next<B>) -> Result<ServiceResponse<B>, Error> {
    let host = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or("."));
    if host.is_some_and(|host| !is_local(host)) {
        let text = "call this listener by its address, or by a name without a dot or below .local, .internal or .svc";
        return Err(ErrorForbidden(text));
    }
    next.call(request).await
}

/// Whether a host is an address or outside of the public DNS.
fn is_local(host: &str) -> bool {
    let port = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()));
    let name = port.map_or(host, |(name, _)| name).to_ascii_lowercase();
    let is_address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok();
    is_address
        || !name.contains('.')
        || [".local", ".localhost", ".internal", ".svc"].iter().any(|end| name.ends_with(end))
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
    if let Some(server) = admin.server.get() {
        for breaker in &server.breakers {
            admin.metrics.set_breaker_state(breaker.source(), breaker.state());
        }
        admin.metrics.set_concurrency(&server.concurrency);
        admin.metrics.datasets.set(&server.datasets.statuses());
        let rates = server.datasets.exchange_rates();
        admin.metrics.datasets.set_disagreements(rates.map_or(0, |rates| disagreements(&rates).count()));
    }
    admin.metrics.ready.set(admin.readiness().await.ready.into());
    match admin.metrics.print() {
        Ok(page) => HttpResponse::Ok()
            .insert_header((header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8"))
            .body(page),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

/// Serves a dataset's active edition, or the exchange rates. Supports ranges and conditional requests.
async fn edition(admin: web::Data<Admin>, name: web::Path<String>) -> Result<NamedFile, Error> {
    let (folder, dataset) = (admin.datasets_dir.clone(), dataset::named(&name).map_err(ErrorNotFound)?);
    if !dataset.has_editions() {
        let file = NamedFile::open(exchange_rates::file(&folder));
        return file.map_err(|_| ErrorNotFound("there are no exchange rates here"));
    }
    let kept = web::block(move || kuraka_registry::editions(&folder, dataset)).await?;
    let current = kept.map_err(ErrorInternalServerError)?.into_iter().find(|kept| kept.current);
    let current = current.ok_or_else(|| ErrorNotFound("no edition was published here"))?;
    Ok(NamedFile::open(current.path)?)
}

async fn lists(admin: web::Data<Admin>, name: web::Path<String>) -> Result<String, Error> {
    let files = list_files(&admin, &name).await?;
    Ok(files.iter().filter_map(|file| Some(format!("{}\n", file.file_name()?.to_str()?))).collect())
}

async fn list(admin: web::Data<Admin>, names: web::Path<(String, String)>) -> Result<NamedFile, Error> {
    let (dataset, list) = names.into_inner();
    let mut files = list_files(&admin, &dataset).await?.into_iter();
    let file = files.find(|file| file.file_name().is_some_and(|name| *name == *list));
    Ok(NamedFile::open(file.ok_or_else(|| ErrorNotFound("there is no such list"))?)?)
}

async fn list_files(admin: &Admin, dataset: &str) -> Result<Vec<PathBuf>, Error> {
    let (folder, dataset) = (admin.datasets_dir.clone(), dataset::named(dataset).map_err(ErrorNotFound)?);
    let files = web::block(move || kuraka_registry::changes::list_files(&folder, dataset)).await?;
    files.map_err(ErrorInternalServerError)
}

impl Admin {
    async fn readiness(&self) -> Readiness {
        match self.server.get() {
            Some(server) => server.readiness().await,
            None => Readiness { store: "not opened yet", ..Readiness::default() },
        }
    }
}

impl ServerParts {
    async fn readiness(&self) -> Readiness {
        let draining = self.draining.load(Ordering::Acquire);
        let asked = timeout(STORE_ANSWERS_WITHIN, self.store.changes(Revision::UNREACHED)).await;
        let store = match (matches!(asked, Ok(Ok(_))), self.meters.store_takes_writes()) {
            (true, true) => "reachable",
            (true, false) => "takes no writes",
            (false, _) => "out of reach",
        };
        let stalled_jobs = self.jobs.stalled();
        let datasets = self.datasets.statuses();
        let datasets_answer = datasets.iter().all(|dataset| !dataset.is_required || dataset.state.answers());
        Readiness {
            ready: !draining && store == "reachable" && stalled_jobs.is_empty() && datasets_answer,
            draining,
            stalled_jobs,
            store,
            datasets: datasets.into_iter().map(DatasetRecord::from).collect(),
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
            name: status.name,
            state: status.state.as_str(),
            edition: edition.map(|edition| Arc::clone(&edition.label)),
            date: edition.map(|edition| edition.date),
            age_days: status.age_days,
            is_too_old: status.is_too_old,
            is_sample: edition.is_some_and(|edition| edition.origin == EditionOrigin::Sample),
            lacks_history: status.lacks_history,
            rows: edition.map(|edition| edition.rows),
            last_attempt: status.last_attempt,
            progress: status.progress,
        }
    }
}
