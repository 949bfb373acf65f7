//! Serves `/openapi.json`, `/webhooks.json` (what is sent to webhooks) and, for language models, `/llms.txt`. The tools of
//! `/mcp` are described here too.

use std::sync::OnceLock;

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use actix_web::web::{self, Bytes, Data, ServiceConfig};
use kuraka_api::{Operation, llms_txt, openapi, tools};
use serde_json::Value;

use super::code;

/// The documents, written at their first request.
#[derive(Default)]
pub struct Documents {
    operations: Vec<&'static Operation>,
    openapi: OnceLock<Bytes>,
    webhooks: OnceLock<Bytes>,
    llms_txt: OnceLock<Bytes>,
    tools: OnceLock<Vec<Value>>,
}

impl Documents {
    pub fn new(operations: Vec<&'static Operation>) -> Self {
        Self { operations, ..Self::default() }
    }

    /// The tools, as `tools/list` describes them.
    pub(crate) fn tools(&self) -> &[Value] {
        let write = || tools::definitions(&openapi::document(&self.operations, &code::descriptions()));
        self.tools.get_or_init(write)
    }
}

/// Resources, so that other methods get 405 instead of 404.
pub(crate) fn configure(service: &mut ServiceConfig) {
    service
        .service(web::resource("/openapi.json").route(web::get().to(openapi)))
        .service(web::resource("/webhooks.json").route(web::get().to(webhooks)))
        .service(web::resource("/llms.txt").route(web::get().to(llms_txt)));
}

async fn openapi(documents: Data<Documents>) -> HttpResponse {
    let write = || openapi::document(&documents.operations, &code::descriptions()).to_string().into();
    response("application/json", documents.openapi.get_or_init(write))
}

async fn webhooks(documents: Data<Documents>) -> HttpResponse {
    response("application/json", documents.webhooks.get_or_init(|| openapi::webhooks().to_string().into()))
}

async fn llms_txt(documents: Data<Documents>) -> HttpResponse {
    let write = || llms_txt::text(&documents.operations, &code::descriptions()).into();
    response("text/plain; charset=utf-8", documents.llms_txt.get_or_init(write))
}

fn response(content_type: &'static str, body: &Bytes) -> HttpResponse {
    let header = |name: HeaderName, value: &'static str| (name, HeaderValue::from_static(value));
    HttpResponse::Ok()
        .insert_header(header(CONTENT_TYPE, content_type))
        .insert_header(header(CACHE_CONTROL, "public, max-age=300"))
        .insert_header(header(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .body(body.clone())
}
