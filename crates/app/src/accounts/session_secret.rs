//! Session secrets: random, held by the browser; the server stores only their digest. A checksum under the store's key
//! lets an invented secret be refused without a store query.

use hex::FromHex;
use hmac::{Hmac, Mac};
use kuraka_ports::TokenKey;
use sha2::Sha256;

use crate::access::check_key::hmac;
use crate::secret::Secret;

/// Bytes.
const RANDOM: usize = 32;
/// Bytes.
const CHECK: usize = 8;

/// Generates 80 hexadecimal digits from the random bytes of `fill`.
///
/// # Errors
/// Any error of `fill`.
pub fn generate<E>(key: &TokenKey, fill: impl FnOnce(&mut [u8]) -> Result<(), E>) -> Result<Secret, E> {
    let mut random = [0; RANDOM];
    fill(&mut random)?;
    let code = code(&random, key).finalize().into_bytes();
    Ok(Secret(hex::encode(random) + &hex::encode(code.get(..CHECK).unwrap_or_default())))
}

pub fn is_genuine(presented: &str, key: &TokenKey) -> bool {
    // Lower case, so that a secret has one text.
    let bytes = <[u8; RANDOM + CHECK]>::from_hex(presented).ok().filter(|bytes| hex::encode(bytes) == presented);
    let Some(bytes) = bytes else { return false };
    let (random, check) = bytes.split_at(RANDOM);
    code(random, key).verify_truncated_left(check).is_ok()
}

/// The label separates sessions' checksums from tokens'.
fn code(random: &[u8], key: &TokenKey) -> Hmac<Sha256> {
    hmac(key).chain_update(b"kuraka session\0").chain_update(random)
}
