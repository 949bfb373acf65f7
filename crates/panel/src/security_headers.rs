//! The security headers of every response.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;

use crate::panel::Panel;

/// Only the panel's own content and calls; no frames, and no form that leaves the panel.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
/// Only the clipboard, to copy a token.
const PERMISSIONS_POLICY: &str =
    "camera=(), clipboard-read=(), clipboard-write=(self), geolocation=(), microphone=(), payment=(), usb=()";
/// A year, in seconds.
const STRICT_TRANSPORT_SECURITY: &str = "max-age=31536000";

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

pub(crate) async fn security_headers<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, actix_web::Error> {
    let is_secure = request.app_data::<Data<Panel>>().is_some_and(|panel| panel.site.is_secure());
    let mut response = next.call(request).await?.map_into_boxed_body();
    let is_of_code = response.request().match_pattern().is_some_and(|path| path.ends_with("{code}"));
    add(response.headers_mut(), is_secure, is_of_code);
    Ok(response)
}

/// `is_secure`: visitors use https. `is_of_code`: the address is a secret.
fn add(headers: &mut HeaderMap, is_secure: bool, is_of_code: bool) {
    let mut set = |name: HeaderName, value: &'static str| drop(headers.insert(name, HeaderValue::from_static(value)));
    set(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    // With `no-referrer`, forms would have `Origin: null`, which `csrf` refuses.
    set(header::REFERRER_POLICY, "same-origin");
    set(header::PERMISSIONS_POLICY, PERMISSIONS_POLICY);
    set(OPENER_POLICY, "same-origin");
    set(RESOURCE_POLICY, "same-origin");
    if is_of_code {
        set(header::REFERRER_POLICY, "no-referrer");
        set(header::CACHE_CONTROL, "no-store");
        set(ROBOTS, "noindex, nofollow, noarchive");
    }
    if is_secure {
        set(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT_SECURITY);
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    }
}
