//! The text of an API token: `kur_`, 30 base62 characters of randomness, 6 base62 characters of CRC32 over those 30.
//!
//! The checksum lets a mistyped or invented token be refused without asking the store, and lets scanners of leaked
//! secrets recognise one. This module refuses to keep a token: it makes one, or reads one and hands on its digest.

use std::fmt;

use kuraka_ports::TokenDigest;
use sha2::{Digest, Sha256};
use thiserror::Error;

const PREFIX: &str = "kur_";
const RANDOM: usize = 30;
const CHECK: usize = 6;
/// Characters of a token.
pub const LENGTH: usize = PREFIX.len() + RANDOM + CHECK;
/// Characters that are kept in clear so that an owner recognises a token.
const SHOWN: usize = PREFIX.len() + 6;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A well-formed token. Only its maker ever holds one; it prints as `kur_…`.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiToken(String);

/// Why a text is not a token. It carries no evidence on purpose: evidence would be half a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TokenFormError {
    /// Another length, prefix or alphabet.
    #[error("a token is kur_ and 36 letters and digits")]
    Form,
    /// The last six characters do not belong to the rest.
    #[error("the token's checksum does not match: a character is missing or mistyped")]
    Checksum,
}

impl ApiToken {
    /// Makes a token out of a source of random bytes, which it asks for 32 bytes or a few more at a time.
    ///
    /// # Errors
    /// Those of the source.
    pub fn generate<E>(mut fill: impl FnMut(&mut [u8]) -> Result<(), E>) -> Result<Self, E> {
        let mut random = String::with_capacity(RANDOM);
        let mut bytes = [0_u8; 32];
        while random.len() < RANDOM {
            fill(&mut bytes)?;
            // 248 = 4 × 62: the bytes above would favour the first eight letters.
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

    /// The token's text, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The first characters, which are kept in clear.
    #[must_use]
    pub fn prefix(&self) -> &str {
        self.0.get(..SHOWN).unwrap_or_default()
    }

    /// The digest under which the store knows the token.
    #[must_use]
    pub fn digest(&self) -> TokenDigest {
        sha256(self.0.as_bytes())
    }
}

/// The digest of a presented token, once its form and checksum hold. Nothing is trimmed.
///
/// # Errors
/// [`TokenFormError`], without any access to a store.
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
