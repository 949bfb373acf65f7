//! Lets pages of other sites call the operations (CORS). No operation accepts a cookie, so a page can send only a token
//! that it has.

use actix_web::dev::RequestHead;
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderMap, HeaderValue};

use super::route::Route;

/// What a page may send; in a dialect also its token's header.
const ALLOWED: &str = "Authorization, Content-Type, Accept";
/// What a page may read.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "X-Request-Id, X-Error-Code, X-Source, X-Source-Status, X-Registry-Edition, RateLimit, RateLimit-Policy, \
     Retry-After, ETag, Deprecation",
);
/// Seconds for which a browser keeps a preflight's answer; browsers cut it to two hours or less.
const MAX_AGE: HeaderValue = HeaderValue::from_static("86400");

/// Whether a browser asks what a page may send.
pub(crate) fn is_preflight(request: &RequestHead) -> bool {
    let headers = request.headers();
    request.method == Method::OPTIONS
        && headers.contains_key(header::ORIGIN)
        && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// Adds the headers for the request's page, if any.
pub(crate) fn write(request: &RequestHead, route: &Route<'_>, response: &mut HeaderMap) {
    if !request.headers().contains_key(header::ORIGIN) {
        return;
    }
    response.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    if is_preflight(request) {
        response.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST"));
        let mut allowed = ALLOWED.to_owned();
        if let Route::Dialect(route) = route {
            allowed.extend(route.named.dialect.token_headers().flat_map(|(name, _)| [", ", name]));
        }
        let allowed = HeaderValue::from_str(&allowed);
        response.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed.unwrap_or(HeaderValue::from_static(ALLOWED)));
        response.insert(header::ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    } else {
        response.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    }
}
