//! The admin listener: is the process alive, is it ready, what has it counted; and the edition that answers, for other
//! machines to fetch. Not for the public network.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_files::NamedFile;
use actix_web::error::{ErrorInternalServerError, ErrorNotFound};
use actix_web::http::header;
use actix_web::{Error, HttpResponse, web};
use kuraka_adapters::layers::BreakerHandle;
use kuraka_app::AccountMeters;
use kuraka_ports::{TaxpayerRegistry, Tokens};
use kuraka_registry::List;
use serde::Serialize;

use crate::metrics::Metrics;

/// What the admin listener tells about.
pub struct Admin {
    /// For the editions.
    pub registry: Arc<dyn TaxpayerRegistry>,
    /// Of the sources of details, for their states.
    pub breakers: Vec<Arc<BreakerHandle>>,
    /// The registry's folder.
    pub registry_dir: PathBuf,
    /// To see whether the store answers.
    pub store: Arc<dyn Tokens>,
    /// To see whether the store takes writes.
    pub meters: Arc<AccountMeters>,
    /// Set when the server begins to stop.
    pub draining: Arc<AtomicBool>,
    /// Whether an edition was ever published here.
    pub had_edition: bool,
    /// Whether being without an edition is not being ready: one was there, or one is to come.
    pub needs_edition: bool,
    /// The figures.
    pub metrics: Arc<Metrics>,
}

/// What `/readyz` says. The same with 200 and with 503.
#[derive(Serialize)]
struct Readiness {
    ready: bool,
    draining: bool,
    store: &'static str,
    registry: Registry,
    /// An open breaker is told and does not make the server unready: every other operation answers.
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

/// The routes.
pub fn routes(service: &mut web::ServiceConfig) {
    service
        .route("/healthz", web::get().to(healthz))
        .route("/readyz", web::get().to(readyz))
        .route("/metrics", web::get().to(metrics))
        .route("/edition", web::get().to(edition));
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
        admin.metrics.breaker_is(breaker.source(), breaker.state());
    }
    admin.metrics.set_ready(admin.readiness().await.ready);
    match admin.metrics.print() {
        Ok(page) => HttpResponse::Ok()
            .insert_header((header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8"))
            .body(page),
        Err(_) => HttpResponse::InternalServerError().finish(),
    }
}

/// The current edition's file: whole or in ranges, and only if it is another than the one already known.
async fn edition(admin: web::Data<Admin>) -> Result<NamedFile, Error> {
    let folder = admin.registry_dir.clone();
    let kept = web::block(move || kuraka_registry::editions(&folder)).await?.map_err(ErrorInternalServerError)?;
    let current = kept.into_iter().find(|kept| kept.current);
    let current = current.ok_or_else(|| ErrorNotFound("no edition was ever published here"))?;
    Ok(NamedFile::open(current.path)?)
}

impl Admin {
    async fn readiness(&self) -> Readiness {
        let draining = self.draining.load(Ordering::Acquire);
        // No revision is as late: the answer is short.
        let store_answers = self.store.changes(u64::MAX).await.is_ok() && self.meters.store_takes_writes();
        let edition = self.registry.edition();
        let state = match (&edition, self.had_edition) {
            (Some(_), _) => "loaded",
            (None, true) => "unusable",
            (None, false) => "never imported",
        };
        let imported = |has: bool| if has { "imported" } else { "never imported" };
        let edition = edition.as_deref();
        Readiness {
            ready: !draining && store_answers && (edition.is_some() || !self.needs_edition),
            draining,
            store: if store_answers { "reachable" } else { "out of reach" },
            registry: Registry {
                state,
                edition: edition.map(|edition| Arc::clone(&edition.label)),
                rows: edition.map(|edition| edition.rows),
                withholding_list: edition.map(|edition| imported(edition.has_list(List::WITHHOLDING_AGENTS.code))),
                good_taxpayer_list: edition.map(|edition| imported(edition.has_list(List::GOOD_TAXPAYERS.code))),
            },
            sources: self
                .breakers
                .iter()
                .map(|breaker| Source { name: breaker.source().to_owned(), breaker: breaker.state().as_str() })
                .collect(),
        }
    }
}
