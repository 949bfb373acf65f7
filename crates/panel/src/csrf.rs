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

/// `Sec-Fetch-Site`, which a page cannot set, decides if present. Browsers omit it over plain http; then `otherwise`
/// must hold an address of the requested host or the public URL.
fn comes_from_panel(request: &HttpRequest, site: &Site, otherwise: &HeaderName) -> bool {
    let mut values = request.headers().get_all(SEC_FETCH_SITE);
    if let Some(value) = values.next() {
        return values.next().is_none() && matches!(value.as_bytes(), b"same-origin" | b"none");
    }
    let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let Some((scheme, rest)) = text(otherwise).and_then(|address| address.split_once("://")) else { return false };
    let host = rest.split('/').next().unwrap_or_default();
    let is_public = site.public_url.as_ref().is_some_and(|url| *url == format!("{scheme}://{host}"));
    is_public || text(&HOST) == Some(host)
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
