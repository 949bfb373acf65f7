//! A request's id: an acceptable `X-Request-Id`, or a new one.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use kuraka_app::PresentedToken;
use kuraka_domain::Ruc;
use uuid::Uuid;

pub(crate) const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

pub(crate) fn from_headers(headers: &HeaderMap) -> HeaderValue {
    headers.get(X_REQUEST_ID).filter(|id| is_acceptable(id.as_bytes())).cloned().unwrap_or_else(new_id)
}

fn new_id() -> HeaderValue {
    let mut text = [0_u8; uuid::fmt::Hyphenated::LENGTH];
    let text = Uuid::now_v7().hyphenated().encode_lower(&mut text);
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static("-"))
}

/// `^[A-Za-z0-9._-]{1,64}$`, but no token and no RUC, because ids are logged.
fn is_acceptable(id: &[u8]) -> bool {
    let is_well_formed =
        (1..=64).contains(&id.len()) && id.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    let is_ruc = str::from_utf8(id).is_ok_and(|text| Ruc::parse(text).is_ok());
    is_well_formed && !is_ruc && !PresentedToken::is_in(id)
}
