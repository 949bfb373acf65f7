//! Verifies webhooks as the Standard Webhooks specification says.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use kuraka_api::WebhookRecord;
use sha2::Sha256;

use crate::error::{Error, Result};

const TOLERANCE_SECONDS: u64 = 5 * 60;

/// The headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
#[derive(Clone, Copy, Debug)]
pub struct Headers<'a> {
    /// The same in each attempt.
    pub id: &'a str,
    /// Seconds since 1970.
    pub timestamp: &'a str,
    /// One or more signatures.
    pub signature: &'a str,
}

/// Verifies that a webhook is signed with the secret and at most five minutes old.
///
/// # Errors
/// `webhook_invalid`.
pub fn verify(secret: &str, headers: Headers<'_>, body: &[u8], now: SystemTime) -> Result<()> {
    let Headers { id, timestamp, signature } = headers;
    let now = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let sent: u64 = timestamp.parse().map_err(|_| invalid("faltan sus encabezados"))?;
    if now.abs_diff(sent) > TOLERANCE_SECONDS {
        return Err(invalid("su fecha difiere en más de cinco minutos"));
    }
    let key = BASE64_STANDARD.decode(secret.strip_prefix("whsec_").unwrap_or(secret)).unwrap_or_default();
    if key.is_empty() {
        return Err(invalid("el secreto está vacío o no es base64"));
    }
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).map_err(|_| invalid("el secreto no sirve"))?;
    for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
        mac.update(part);
    }
    let signatures = signature.split(' ').filter_map(|signature| signature.strip_prefix("v1,"));
    let is_signed = signatures
        .filter_map(|signature| BASE64_STANDARD.decode(signature).ok())
        // In constant time.
        .any(|signature| mac.clone().verify_slice(&signature).is_ok());
    if is_signed { Ok(()) } else { Err(invalid("la firma no es de este secreto")) }
}

/// Verifies a webhook as [`verify`] does, and returns what it says.
///
/// # Errors
/// `webhook_invalid`.
pub fn read(secret: &str, headers: Headers<'_>, body: &[u8], now: SystemTime) -> Result<WebhookRecord<'static>> {
    verify(secret, headers, body, now)?;
    serde_json::from_slice(body).map_err(|_| invalid("no tiene la forma documentada"))
}

fn invalid(reason: &str) -> Error {
    Error::new("webhook_invalid", format!("El aviso no es auténtico: {reason}."))
}
