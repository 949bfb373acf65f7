//! The middleware of pages and documents: the same id, metrics, access log and connection handling as calls.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage};
use kuraka_panel::PageError;
use kuraka_ports::AccountId;

use super::access_log::Entry;
use super::api::Api;
use super::request_id::{self, X_REQUEST_ID};
use super::{code, handle};
use crate::logs;
use crate::metrics::Kind;

/// Counts and logs the response of a page. `fallback` answers paths without a page; its responses already have an id
/// and pass unchanged.
pub(crate) async fn answer<B: MessageBody>(
    api: Data<Api>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let started = api.clock.monotonic();
    let mut response = next.call(request).await?;
    if response.headers().contains_key(X_REQUEST_ID) {
        return Ok(response);
    }
    let (id, status) = (request_id::of(response.request().headers()), response.status());
    let error = response.response().error().filter(|_| status.is_server_error());
    let cause = error.map(|error| error.as_error::<PageError>().map_or_else(|| error.to_string(), |e| logs::chain(e)));
    let account = response.request().extensions().get::<AccountId>().copied();
    let entry = Entry {
        kind: kind(response.request().path()),
        id: &id,
        code: code::of_status(status),
        status,
        account,
        token: None,
        cause: cause.as_deref(),
        took: api.clock.monotonic().saturating_sub(started),
    };
    entry.record(&api, response.request());
    response.headers_mut().insert(X_REQUEST_ID, id);
    handle::close_if_draining(&api, response.response_mut());
    Ok(response)
}

/// The kind that a page is counted as.
fn kind(path: &str) -> Kind {
    match path {
        "/docs" | "/docs/" | "/openapi.json" | "/llms.txt" => Kind::DOCS,
        _ => Kind::PANEL,
    }
}
