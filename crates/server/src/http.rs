//! The public API on one screen: every route, and what every call goes through.
//!
//! The order of the checks is the contract's: path, method, token, account, media type, size, rate, quota and charge,
//! body, fields, sources. A handler makes four moves: a `call::Call` gives the grant and the fields, one use case
//! runs, its answer becomes a wire record, the record goes into the envelope.

mod address;
mod answer;
mod bearer;
mod body;
mod call;
mod code;
mod detail;
mod edge;
mod examples;
mod fallback;
mod limits;
mod object;
mod openapi;
mod reference;
mod ruc_field;
mod source_failure;
mod summary;
mod usage;
mod voucher;
mod voucher_fields;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use actix_web::{Route, web};
use ipnet::IpNet;
use kuraka_app::{Admission, LookupDetail, LookupSummary, Usage, ValidateVoucher};
use kuraka_ports::Clock;

pub(crate) use address::client as client_address;
pub use openapi::document as openapi_document;
pub(crate) use reference::for_people as reference;

use crate::metrics::Metrics;

/// All that the routes need.
pub struct Api {
    /// Recognises callers, admits and charges their calls.
    pub admission: Admission,
    /// The use case of `POST /ruc`.
    pub lookup_summary: LookupSummary,
    /// The use case of `POST /ruc-official`.
    pub lookup_detail: LookupDetail,
    /// The use case of `POST /cpe`.
    pub validate_voucher: ValidateVoucher,
    /// Where accounts' calls are noted.
    pub usage: Arc<Usage>,
    /// Where outcomes are counted.
    pub metrics: Arc<Metrics>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Set when the server begins to stop.
    pub draining: Arc<AtomicBool>,
}

/// The routes.
pub fn routes(service: &mut web::ServiceConfig) {
    for prefix in ["", "/api"] {
        let path = |name: &str| web::resource(format!("{prefix}/{name}"));
        let posted =
            |name: &str, handler: Route| path(name).route(handler).default_service(web::to(fallback::only_post));
        service
            .service(posted("ruc", web::post().to(summary::summary)))
            .service(posted("ruc-official", web::post().to(detail::detail)))
            .service(posted("cpe", web::post().to(voucher::voucher)))
            .service(path("usage").route(web::get().to(usage::usage)).default_service(web::to(fallback::only_get)));
    }
    service
        .service(web::resource("/openapi.json").route(web::get().to(reference::document)))
        .service(web::resource("/llms.txt").route(web::get().to(reference::for_machines)));
    service.default_service(web::to(fallback::route_not_found));
}
