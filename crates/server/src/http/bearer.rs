//! Reads the `Authorization` header (RFC 6750). A token in the body is ignored, and one in the
//! query string is refused (`query_token`).

use actix_web::http::header::{AUTHORIZATION, HeaderMap, HeaderValue};

/// The content of the header.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Presented<'a> {
    /// One Bearer token, not yet validated.
    Token(&'a [u8]),
    /// No header, or another scheme.
    Nothing,
    /// More than one header, which is ambiguous.
    Several,
}

/// `WWW-Authenticate` for a request that presented no token.
pub(crate) const CHALLENGE: HeaderValue = HeaderValue::from_static("Bearer realm=\"kuraka\"");
/// `WWW-Authenticate` for an invalid token.
pub(crate) const CHALLENGE_INVALID: HeaderValue =
    HeaderValue::from_static("Bearer realm=\"kuraka\", error=\"invalid_token\"");

pub(crate) fn presented(headers: &HeaderMap) -> Presented<'_> {
    let mut headers = headers.get_all(AUTHORIZATION);
    match (headers.next(), headers.next()) {
        (None, _) => Presented::Nothing,
        (Some(_), Some(_)) => Presented::Several,
        (Some(value), None) => match value.as_bytes().split_at_checked("Bearer ".len()) {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case(b"Bearer ") => Presented::Token(token.trim_ascii()),
            Some(_) | None => Presented::Nothing,
        },
    }
}
