//! Protection against cross-site request forgery. The browser's headers must say that the form came from a page of the
//! panel, and the form must hold the token that the panel gave to the same browser.

use actix_web::HttpRequest;
use actix_web::http::header::{HOST, HeaderName, ORIGIN};
use sha2::{Digest, Sha256};

use crate::site::Site;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether the browser says that the form came from a page of the panel.
///
/// A page cannot set `Sec-Fetch-Site`, so this header decides if it is present. Browsers omit it over plain http; then
/// `Origin` must be the requested host or the public URL.
pub(crate) fn is_same_origin(request: &HttpRequest, site: &Site) -> bool {
    let mut values = request.headers().get_all(SEC_FETCH_SITE);
    if let Some(value) = values.next() {
        return values.next().is_none() && matches!(value.as_bytes(), b"same-origin" | b"none");
    }
    let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let Some(origin) = text(ORIGIN) else { return false };
    let is_host = || text(HOST).is_some_and(|host| origin.split_once("://").is_some_and(|(_, from)| from == host));
    site.public_url.as_deref() == Some(origin) || is_host()
}

/// The token of a form: a digest of a secret that only this browser and the server have.
pub(crate) fn form_token(secret: &str) -> String {
    hex(&Sha256::new().chain_update(b"kuraka form\0").chain_update(secret).finalize())
}

/// Whether `presented` is the token of the secret. Digests are compared, so that the time of the comparison says
/// nothing about the token.
pub(crate) fn is_form_token(secret: &str, presented: &str) -> bool {
    Sha256::digest(form_token(secret)) == Sha256::digest(presented)
}

/// A new secret for a browser without a session: 128 random bits as hexadecimal digits.
pub(crate) fn new_secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}

/// Whether a text has the form of a secret of [`new_secret`].
pub(crate) fn is_secret(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
