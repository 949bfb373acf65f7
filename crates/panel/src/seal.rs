//! What every answer of the panel goes through: the headers that keep a browser from doing what no page asked for,
//! and a line of log. It refuses to look at what is answered.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use actix_web::HttpMessage;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use futures_util::FutureExt;
use kuraka_ports::AccountId;
use uuid::Uuid;

use crate::Panel;
use crate::problem::Problem;

/// Styles, scripts, pictures and calls of our own only; no frame around us, no form that goes elsewhere.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
/// Nothing of the device is needed but the clipboard, to copy a token into it.
const PERMISSIONS_POLICY: &str =
    "camera=(), clipboard-read=(), clipboard-write=(self), geolocation=(), microphone=(), payment=(), usb=()";
/// A year.
const STRICT_TRANSPORT_SECURITY: &str = "max-age=31536000";

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Seals and logs one answer. A panic on the way to it becomes a page like any other.
pub(crate) async fn seal<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, actix_web::Error> {
    let panel = request.app_data::<Data<Panel>>().cloned();
    let started = panel.as_ref().map(|panel| panel.clock.monotonic());
    let asked = request.request().clone();
    let mut answered = match AssertUnwindSafe(next.call(request)).catch_unwind().await {
        Ok(answered) => answered?.map_into_boxed_body(),
        Err(_) => ServiceResponse::from_err(Problem::Inside("a page panicked, see the line before this one"), asked),
    };
    let id = Uuid::now_v7().to_string();
    let secure = panel.as_ref().is_some_and(|panel| panel.site.is_secure());
    write(answered.headers_mut(), secure, &id);
    if let (Some(panel), Some(since)) = (panel, started) {
        log(&answered, &panel, &id, panel.clock.monotonic().saturating_sub(since));
    }
    Ok(answered)
}

fn write(headers: &mut HeaderMap, secure: bool, id: &str) {
    let mut set = |name: HeaderName, value: &'static str| drop(headers.insert(name, HeaderValue::from_static(value)));
    set(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    // Not `no-referrer`: browsers then hide the origin of a form, by which it is recognised as ours.
    set(header::REFERRER_POLICY, "same-origin");
    set(header::PERMISSIONS_POLICY, PERMISSIONS_POLICY);
    set(OPENER_POLICY, "same-origin");
    set(RESOURCE_POLICY, "same-origin");
    if secure {
        set(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT_SECURITY);
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    }
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(X_REQUEST_ID, id);
    }
}

fn log<B>(answered: &ServiceResponse<B>, panel: &Panel, id: &str, took: Duration) {
    let status = answered.status().as_u16();
    let request = answered.request();
    // The route and not the path: a path can hold anything.
    let (method, route) = (request.method().as_str(), request.match_pattern());
    if let Some(problem) = answered.response().error().filter(|_| answered.status().is_server_error()) {
        tracing::warn!(request_id = id, route, status, cause = %problem, "a page could not be made");
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
