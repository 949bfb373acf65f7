//! What every response of the panel goes through: a request id and a line of the log. A panic becomes a page.

use std::error::Error as StdError;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use actix_web::HttpMessage;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use futures_util::FutureExt;
use kuraka_ports::AccountId;
use uuid::Uuid;

use crate::error::PageError;
use crate::panel::Panel;
use crate::security_headers;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Completes and logs one response.
pub(crate) async fn edge<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, actix_web::Error> {
    let panel = request.app_data::<Data<Panel>>().cloned();
    let started = panel.as_ref().map(|panel| panel.clock.monotonic());
    let copy = request.request().clone();
    let mut response = match AssertUnwindSafe(next.call(request)).catch_unwind().await {
        Ok(response) => response?.map_into_boxed_body(),
        Err(_) => {
            let is_secure = security_headers::is_secure(&copy);
            let error = PageError::Internal("a page panicked, see the line before this one");
            let mut response = ServiceResponse::from_err(error, copy);
            security_headers::add(response.headers_mut(), is_secure);
            response
        }
    };
    let id = Uuid::now_v7().to_string();
    if let Ok(id) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(X_REQUEST_ID, id);
    }
    if let (Some(panel), Some(since)) = (panel, started) {
        log(&response, &panel, &id, panel.clock.monotonic().saturating_sub(since));
    }
    Ok(response)
}

fn log<B>(response: &ServiceResponse<B>, panel: &Panel, id: &str, took: Duration) {
    let status = response.status().as_u16();
    let request = response.request();
    // The route and not the path: a path can hold anything.
    let (method, route) = (request.method().as_str(), request.match_pattern());
    if let Some(error) = response.response().error().filter(|_| response.status().is_server_error()) {
        let source = error.as_error::<PageError>().and_then(StdError::source);
        let cause = source.map_or_else(|| error.to_string(), |source| format!("{error}: {source}"));
        tracing::warn!(request_id = id, route, status, cause, "a page could not be made");
    }
    tracing::info!(
        request_id = id,
        operation = "panel",
        status,
        account = request.extensions().get::<AccountId>().map(|account| account.0),
        client = (panel.site.client_address)(request).map(|address| address.to_string()),
        method,
        route,
        micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
        "answered"
    );
}
