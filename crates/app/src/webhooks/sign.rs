//! Secrets and signatures of Standard Webhooks.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use hmac::{Hmac, KeyInit, Mac};
use kuraka_ports::WebhookSecret;
use sha2::Sha256;

use crate::accounts::sign_in::RandomSource;

const SECRET: usize = 32;
const PREFIX: &str = "whsec_";

pub(super) fn new_secret(random: RandomSource) -> Result<WebhookSecret, getrandom::Error> {
    let mut bytes = [0; SECRET];
    random(&mut bytes)?;
    Ok(WebhookSecret::new(format!("{PREFIX}{}", BASE64.encode(bytes))))
}

/// The header `webhook-signature`: a signature by each secret.
pub fn signature<'a>(
    secrets: impl Iterator<Item = &'a WebhookSecret>,
    message: &str,
    timestamp: i64,
    body: &str,
) -> String {
    let signed = format!("{message}.{timestamp}.{body}");
    let sign = |secret: &WebhookSecret| {
        let key = BASE64.decode(secret.reveal().strip_prefix(PREFIX)?).ok()?;
        let code = Hmac::<Sha256>::new_from_slice(&key).ok()?.chain_update(&signed).finalize();
        Some(format!("v1,{}", BASE64.encode(code.into_bytes())))
    };
    secrets.filter_map(sign).collect::<Vec<_>>().join(" ")
}
