//! Protection against cross-site request forgery: by the browser's headers, the form must come from a page of the
//! panel, and it must hold the token that this browser got. Another site must not open a page that costs queries.

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::http::header::{HOST, HeaderName, ORIGIN, REFERER};
use sha2::{Digest, Sha256};

use crate::site::Site;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// By the browser's headers.
pub(crate) fn is_same_origin(request: &HttpRequest, site: &Site) -> bool {
    comes_from_panel(request, site, &ORIGIN)
}

/// Whether the owner opened this page, from the panel or by its address. A prefetched page is not opened.
pub(crate) fn is_opened_by_owner(request: &HttpRequest, site: &Site) -> bool {
    let is_prefetched = ["sec-purpose", "purpose"].iter().any(|name| request.headers().contains_key(*name));
    request.method() == Method::GET && !is_prefetched && comes_from_panel(request, site, &REFERER)
}

/// Path and query of the page of the panel that sent this request, by its `Referer`.
pub(crate) fn previous_page<'a>(request: &'a HttpRequest, site: &Site) -> Option<&'a str> {
    let (host, page) = split_address(request.headers().get(REFERER)?.to_str().ok()?)?;
    is_panel(request, site, host).then_some(page)
}

/// `https://host` and `/path?query`.
fn split_address(address: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = address.split_once("://")?;
    let host = scheme.len() + 3 + rest.find('/').unwrap_or(rest.len());
    address.split_at_checked(host)
}

/// Whether this is the requested host or the public URL.
fn is_panel(request: &HttpRequest, site: &Site, host: &str) -> bool {
    let requested = request.headers().get(HOST).and_then(|value| value.to_str().ok());
    site.public_url.as_deref() == Some(host) || host.split_once("://").map(|(_, host)| host) == requested
}

/// `Sec-Fetch-Site`, which a page cannot set, decides if present. Browsers omit it over plain http; then `otherwise`
/// must hold an address of the requested host or the public URL.
fn comes_from_panel(request: &HttpRequest, site: &Site, otherwise: &HeaderName) -> bool {
    let mut values = request.headers().get_all(SEC_FETCH_SITE);
    if let Some(value) = values.next() {
        return values.next().is_none() && matches!(value.as_bytes(), b"same-origin" | b"none");
    }
    let address = request.headers().get(otherwise).and_then(|value| value.to_str().ok());
    address.and_then(split_address).is_some_and(|(host, _)| is_panel(request, site, host))
}

/// A digest of a secret that only this browser and the server have.
pub(crate) fn form_token(secret: &str) -> String {
    hex::encode(Sha256::new().chain_update(b"kuraka form\0").chain_update(secret).finalize())
}

/// Compares digests, so that the time says nothing about the token.
pub(crate) fn is_form_token(secret: &str, presented: &str) -> bool {
    Sha256::digest(form_token(secret)) == Sha256::digest(presented)
}

/// For a browser without a session: 128 random bits, hexadecimal.
pub(crate) fn new_secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(hex::encode(bytes))
}

pub(crate) fn is_secret(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit())
}
