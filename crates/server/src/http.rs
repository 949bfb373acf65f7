//! The public API: its modules, and the routes of documents and pages.
//!
//! A handler has four steps: admit the call (the checks in the contract's order), run one use case, convert the answer
//! to a JSON record, and put it into the envelope.

mod access_log;
mod address;
mod admission;
mod api;
mod batch;
mod body;
mod code;
mod context;
mod cors;
mod dialects;
mod documents;
mod endpoint;
mod fallback;
mod field_value;
mod form;
mod handle;
mod history_record;
mod instance;
mod limits;
mod mcp;
mod media_type;
mod multipart;
mod object;
mod operations;
mod pages;
mod query_token;
mod registry_lookup;
mod request_id;
mod response;
mod route;
mod router;
mod ruc_field;
mod source_failure;
mod unserved;
mod webhook_body;

use actix_web::middleware::from_fn;
use actix_web::web::{self, Data, ServiceConfig};
use kuraka_api::openapi;
pub use kuraka_api::openapi::webhooks as webhooks_document;
use serde_json::Value;

pub(crate) use address::client as client_address;
pub use api::{Api, CallLimits};
pub use batch::{ItemError, listed_taxpayer};
pub(crate) use code::descriptions as code_descriptions;
pub use dialects::NamedDialect;
pub use documents::Documents;
pub use endpoint::{Endpoint, SourcesOf};
pub use history_record::record as history_record;
pub use instance::{Instance, Instances, MakeTest, NoTestInstanceError, Running};
pub use operations::ENDPOINTS;
pub(crate) use registry_lookup::CALLS;
pub use router::service;
pub(crate) use webhook_body::webhook_body;

/// Adds documents, `pages` and the answer to other paths. Operations are in front of the app, see [`service`].
pub fn configure(service: &mut ServiceConfig, api: &Data<Api>, pages: fn(&mut ServiceConfig)) {
    service.app_data(Data::clone(api)).app_data(Data::clone(&api.documents));
    let pages = web::scope("").wrap(from_fn(pages::answer)).configure(documents::configure).configure(pages);
    service.service(pages).default_service(web::to(fallback::route_not_found));
}

/// The OpenAPI document of [`ENDPOINTS`].
pub fn openapi_document() -> Value {
    openapi::document(&ENDPOINTS.map(|endpoint| endpoint.operation), &code::descriptions())
}
