//! The text of an API token: `kur_`, 30 base62 characters of randomness, 6 base62 characters of CRC32 over those 30.
//!
//! The checksum rejects mistyped and invented tokens without a query to the store, and lets secret scanners recognise a
//! leaked token. This module stores no token: it generates one, or computes the digest of a presented one.

use std::fmt;

use kuraka_ports::TokenDigest;
use sha2::{Digest, Sha256};
use thiserror::Error;

const PREFIX: &str = "kur_";
const RANDOM: usize = 30;
const CHECK: usize = 6;
/// Characters of a token.
pub const LENGTH: usize = PREFIX.len() + RANDOM + CHECK;
/// Characters stored in clear text, which help an owner to recognise a token.
const SHOWN: usize = PREFIX.len() + 6;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A newly generated token. Its debug text is `kur_…`.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiToken(String);

/// Why a text is not a token. It contains no part of the text, which may be most of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TokenFormError {
    /// The length, the prefix or a character is wrong.
    #[error("a token is kur_ and 36 letters and digits")]
    Form,
    /// The last six characters are not the checksum of the rest.
    #[error("the token's checksum does not match: a character is missing or mistyped")]
    Checksum,
}

impl ApiToken {
    /// Generates a token from random bytes; `fill` fills 32 bytes at a time and may be called more than once.
    ///
    /// # Errors
    /// Those of `fill`.
    pub fn generate<E>(mut fill: impl FnMut(&mut [u8]) -> Result<(), E>) -> Result<Self, E> {
        let mut random = String::with_capacity(RANDOM);
        let mut bytes = [0_u8; 32];
        while random.len() < RANDOM {
            fill(&mut bytes)?;
            // 248 = 4 × 62: accepting bytes of 248 and above would make the first eight letters more frequent.
            let letters = bytes.iter().filter(|byte| **byte < 248).map(|byte| letter(u32::from(*byte)));
            random.extend(letters.take(RANDOM - random.len()));
        }
        let check = check_letters(random.as_bytes());
        let mut text = String::with_capacity(LENGTH);
        text.push_str(PREFIX);
        text.push_str(&random);
        text.extend(check.map(char::from));
        Ok(Self(text))
    }

    /// The token's text, to be shown to its owner once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The first characters, which are stored in clear text.
    #[must_use]
    pub fn prefix(&self) -> &str {
        self.0.get(..SHOWN).unwrap_or_default()
    }

    /// The token's key in the store.
    #[must_use]
    pub fn digest(&self) -> TokenDigest {
        sha256(self.0.as_bytes())
    }
}

/// The digest of a presented token whose form and checksum are valid. The text is not trimmed.
///
/// # Errors
/// [`TokenFormError`].
pub fn digest_of(presented: &[u8]) -> Result<TokenDigest, TokenFormError> {
    let body = presented.strip_prefix(PREFIX.as_bytes()).ok_or(TokenFormError::Form)?;
    let (random, check) = body.split_at_checked(RANDOM).ok_or(TokenFormError::Form)?;
    if check.len() != CHECK || !body.iter().all(u8::is_ascii_alphanumeric) {
        return Err(TokenFormError::Form);
    }
    if check != check_letters(random) {
        return Err(TokenFormError::Checksum);
    }
    Ok(sha256(presented))
}

fn sha256(text: &[u8]) -> TokenDigest {
    TokenDigest(Sha256::digest(text).into())
}

/// CRC32 in base62, most significant letter first, padded with `0`.
fn check_letters(random: &[u8]) -> [u8; CHECK] {
    let mut rest = crc32fast::hash(random);
    let mut letters = [b'0'; CHECK];
    for slot in letters.iter_mut().rev() {
        *slot = letter(rest % 62) as u8;
        rest /= 62;
    }
    letters
}

fn letter(value: u32) -> char {
    ALPHABET.get(value as usize % ALPHABET.len()).map_or('0', |byte| char::from(*byte))
}

impl fmt::Debug for ApiToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiToken(kur_…)")
    }
}
