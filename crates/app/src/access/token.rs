//! The text of an API token: `kur_` or, for test data, `kur_test_`, 30 random base62 characters, a checksum of 6.
//!
//! The checksum is an HMAC under the store's key, so an invented token is refused without a store query. It bounds the
//! load on the store but does not protect accounts: a token is accepted only if the store has its digest. So the key is
//! never rotated.

use std::fmt;

use hmac::Mac;
use kuraka_ports::{SecretDigest, TokenKey, TokenKind};

use super::check_key::hmac;
use crate::secret::digest_of;

const PREFIX: &str = "kur_";
/// Longer than [`PREFIX`], and no live token begins with it: letters have no `_`.
const TEST_PREFIX: &str = "kur_test_";
const RANDOM: usize = 30;
const CHECK: usize = 6;
/// Characters after the prefix that are stored in clear text, to help owners recognise a token.
const SHOWN: usize = 6;

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// `Debug` shows `kur_…`.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiToken {
    text: String,
    kind: TokenKind,
}

/// A text in the form of a token.
#[derive(Clone, Copy)]
pub struct PresentedToken<'a> {
    /// What its prefix says.
    pub kind: TokenKind,
    text: &'a [u8],
    random: &'a [u8],
    check: &'a [u8; CHECK],
}

impl ApiToken {
    /// Generates a token; `fill` fills 32 random bytes and may be called more than once.
    ///
    /// # Errors
    /// Any error of `fill`.
    pub fn generate<E>(
        kind: TokenKind,
        key: &TokenKey,
        mut fill: impl FnMut(&mut [u8]) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut random = String::with_capacity(RANDOM);
        let mut bytes = [0_u8; 32];
        while random.len() < RANDOM {
            fill(&mut bytes)?;
            // 248 = 4 × 62: accepting bytes of 248 and above would make the first eight letters more frequent.
            let letters = bytes.iter().filter(|byte| **byte < 248).map(|byte| char::from(letter(u64::from(*byte))));
            random.extend(letters.take(RANDOM - random.len()));
        }
        let mut text = [prefix(kind), &random].concat();
        text.extend(checksum(random.as_bytes(), key).map(char::from));
        Ok(Self { text, kind })
    }

    /// To be shown to the owner once.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The stored first characters.
    pub fn prefix(&self) -> &str {
        self.text.get(..prefix(self.kind).len() + SHOWN).unwrap_or_default()
    }

    pub fn digest(&self) -> SecretDigest {
        digest_of(&self.text)
    }
}

impl<'a> PresentedToken<'a> {
    /// `None` = not in the form of a token. The text is not trimmed.
    pub fn read(text: &'a [u8]) -> Option<Self> {
        let kind = kind(text);
        let body = text.strip_prefix(prefix(kind).as_bytes())?;
        let (random, check) = body.split_at_checked(RANDOM)?;
        let check = check.as_array()?;
        body.iter().all(u8::is_ascii_alphanumeric).then_some(Self { kind, text, random, check })
    }

    /// Whether a text has one anywhere in it.
    pub fn is_in(text: &'a [u8]) -> bool {
        let lengths = [PREFIX, TEST_PREFIX].map(|prefix| prefix.len() + RANDOM + CHECK);
        lengths.into_iter().any(|length| text.windows(length).any(|part| Self::read(part).is_some()))
    }

    pub fn digest(&self) -> SecretDigest {
        digest_of(self.text)
    }

    /// Whether the checksum is valid, in the same time for any text.
    pub fn is_genuine(&self, key: &TokenKey) -> bool {
        // Compared as one number.
        let number = |check: &[u8; CHECK]| check.iter().fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
        number(self.check) == number(&checksum(self.random, key))
    }
}

pub fn kind(text: &[u8]) -> TokenKind {
    if text.starts_with(TEST_PREFIX.as_bytes()) { TokenKind::Test } else { TokenKind::Live }
}

const fn prefix(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Live => PREFIX,
        TokenKind::Test => TEST_PREFIX,
    }
}

/// The HMAC's first 64 bits modulo 62⁶ in base62, most significant letter first.
fn checksum(random: &[u8], key: &TokenKey) -> [u8; CHECK] {
    let code = hmac(key).chain_update(random).finalize().into_bytes();
    let mut rest = code.first_chunk().map_or(0, |first| u64::from_be_bytes(*first));
    let mut letters = [b'0'; CHECK];
    for slot in letters.iter_mut().rev() {
        *slot = letter(rest);
        rest /= 62;
    }
    letters
}

/// The letter of the last base62 digit of a number.
fn letter(number: u64) -> u8 {
    ALPHABET.get((number % 62) as usize).copied().unwrap_or(b'0')
}

impl fmt::Debug for ApiToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiToken(kur_…)")
    }
}
