//! The middleware of pages and documents: id, metrics, access log and connection handling as for calls.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;
use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::{HeaderValue, USER_AGENT};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage, HttpResponse};
use futures_util::FutureExt;
use kuraka_app::ChargedCall;
use kuraka_domain::ResultCode;
use kuraka_panel::{PageCallSlot, PageError};
use kuraka_ports::{AccountId, Actor, Origin};

use super::access_log::Entry;
use super::api::Api;
use super::request_id::{self, X_REQUEST_ID};
use super::response::ApiResponse;
use super::route::Route;
use super::{access_log, address, code, handle};
use crate::metrics::Kind;
use crate::{logs, panics};

/// Counts and logs a page's response. Responses of `fallback` have an id and pass unchanged. The panel turns its own
/// panics into a page; others become an envelope.
pub(crate) async fn answer<B: MessageBody>(
    api: Data<Api>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let started = api.clock.monotonic();
    let id = request_id::from_headers(request.headers());
    let client = address::client(request.request().head(), &api.trusted_proxies);
    let (method, is_upgrade) = (request.method().clone(), request.head().upgrade());
    let page = Page { api: &api, slot: PageCallSlot::default() };
    let origin = origin(&request, client, &id);
    request.extensions_mut().insert(page.slot.clone());
    let mut response = match AssertUnwindSafe(origin.scope(async { next.call(request).await })).catch_unwind().await {
        Ok(response) => response?,
        Err(_) => {
            panics::contain(|| page.end_call(StatusCode::INTERNAL_SERVER_ERROR));
            return Err(after_panic(&api, &id, &method, is_upgrade, client, started));
        }
    };
    if response.headers().contains_key(X_REQUEST_ID) {
        return Ok(response);
    }
    // A panic while counting or logging changes nothing for the reader.
    panics::contain(|| record(&api, &response, page.end_call(response.status()).as_deref(), &id, started));
    response.headers_mut().insert(X_REQUEST_ID, id);
    handle::close_if_due(&api, is_upgrade, response.response_mut().head_mut());
    Ok(response)
}

/// For the audit log.
fn origin(request: &ServiceRequest, address: Option<IpAddr>, id: &HeaderValue) -> Origin {
    let agent = request.headers().get(USER_AGENT).and_then(|agent| agent.to_str().ok());
    Origin {
        actor: Actor::Account,
        address,
        agent: agent.map(|agent| agent.chars().take(Origin::AGENT_CHARS).collect()),
        request_id: id.to_str().ok().map(str::to_owned),
        ..Origin::default()
    }
}

/// Counts and logs a request whose handler panicked, and returns its response.
fn after_panic(
    api: &Api,
    id: &HeaderValue,
    method: &Method,
    is_upgrade: bool,
    client: Option<IpAddr>,
    started: Duration,
) -> Error {
    let (operation, code) = (Kind::DOCS, ResultCode::InternalError);
    let mut response = ApiResponse::new(code).write();
    panics::contain(|| {
        let took = api.clock.monotonic().saturating_sub(started);
        api.metrics.record_answer(operation, code, took);
        let (request_id, operation, code) = (id.to_str().unwrap_or_default(), operation.name(), code.as_str());
        let (status, cause) = (response.status().as_u16(), "a page panicked");
        tracing::warn!(request_id, operation, code, status, cause, "a call could not be answered");
        let (client, method, micros) = (client.map(|ip| ip.to_string()), method.as_str(), access_log::micros(took));
        tracing::info!(request_id, operation, code, status, client, method, micros, "answered");
    });
    response.headers_mut().insert(X_REQUEST_ID, id.clone());
    handle::close_if_due(api, is_upgrade, response.head_mut());
    InternalError::from_response("a page panicked", HttpResponse::from(response)).into()
}

fn record<B>(
    api: &Api,
    response: &ServiceResponse<B>,
    call: Option<&ChargedCall>,
    id: &HeaderValue,
    started: Duration,
) {
    let status = response.status();
    let error = response.response().error().filter(|_| status.is_server_error());
    let cause = error.map(|error| error.as_error::<PageError>().map_or_else(|| error.to_string(), |e| logs::chain(e)));
    let extensions = response.request().extensions();
    let account = extensions.get::<AccountId>().copied();
    let cause = cause.or_else(|| call.and_then(ChargedCall::take_cause));
    let entry = Entry {
        is_test: false,
        kind: kind(response.request().path()),
        id,
        code: code::from_status(status),
        status,
        account,
        token: None,
        cause: cause.as_deref(),
        took: api.clock.monotonic().saturating_sub(started),
    };
    let request = response.request();
    entry.record(api, request.head(), &Route::App(request));
}

struct Page<'a> {
    api: &'a Api,
    slot: PageCallSlot,
}

impl Page<'_> {
    /// Takes the page's call, and counts its charge.
    fn take_call(&self) -> Option<Rc<ChargedCall>> {
        let call = self.slot.take()?;
        self.api.metrics.record_charge(Kind::from_operation(call.operation), call.queries());
        Some(call)
    }

    /// Ends the page's call with this status. A call without a result failed with the page.
    fn end_call(&self, status: StatusCode) -> Option<Rc<ChargedCall>> {
        let call = self.take_call()?;
        if call.result().is_none() || status == StatusCode::INTERNAL_SERVER_ERROR {
            call.end(ResultCode::InternalError, call.take_cause());
        }
        Some(call)
    }
}

impl Drop for Page<'_> {
    /// The browser has left, which drops the page: its call stays charged, as any call's.
    fn drop(&mut self) {
        // A panic while unwinding would end the process.
        panics::contain(|| {
            let call = self.take_call();
            call.iter().for_each(|call| self.api.metrics.record_disconnect(Kind::from_operation(call.operation)));
        });
    }
}

fn kind(path: &str) -> Kind {
    match path {
        "/openapi.json" | "/webhooks.json" | "/llms.txt" => Kind::DOCS,
        path if path == "/docs" || path.starts_with("/docs/") => Kind::DOCS,
        _ => Kind::PANEL,
    }
}
