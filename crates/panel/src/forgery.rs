//! Is this form ours? A browser says where a form came from, and a token in the form says that the same browser was
//! given it by us. Both must hold before a form is read any further.

use std::fmt::Write;

use actix_web::HttpRequest;
use actix_web::http::header::{HOST, HeaderName, ORIGIN};
use sha2::{Digest, Sha256};

use crate::Site;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether the browser says that the form came from a page of ours.
///
/// `Sec-Fetch-Site` is the browser's own word and cannot be set by a page; where it is missing (plain http), `Origin`
/// must be the address that was asked, or the public one.
pub(crate) fn came_from_us(request: &HttpRequest, site: &Site) -> bool {
    let mut told = request.headers().get_all(SEC_FETCH_SITE);
    if let Some(from) = told.next() {
        return told.next().is_none() && matches!(from.as_bytes(), b"same-origin" | b"none");
    }
    let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
    let Some(origin) = text(ORIGIN) else { return false };
    let asked = || text(HOST).is_some_and(|host| origin.split_once("://").is_some_and(|(_, from)| from == host));
    site.public_url.as_deref() == Some(origin) || asked()
}

/// The token of a form, made of a secret that only this browser and we know: it tells nothing of the secret.
pub(crate) fn form_token(secret: &str) -> String {
    hex(&Sha256::new().chain_update(b"kuraka form\0").chain_update(secret).finalize())
}

/// Whether the form carries the token that belongs to the secret. A digest is compared, and not the secret: how long
/// that takes tells nothing that helps to guess.
pub(crate) fn carries_token(secret: &str, presented: &str) -> bool {
    Sha256::digest(form_token(secret)) == Sha256::digest(presented)
}

/// A new secret for a browser without a session: 128 bits in hexadecimal.
pub(crate) fn new_secret() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}

/// Whether a text may be such a secret: anything else was put there by somebody else.
pub(crate) fn is_secret(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a text cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
