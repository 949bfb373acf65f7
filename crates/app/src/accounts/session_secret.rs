//! Session secrets: random, held by the browser. The server stores only their digest.

use std::fmt;

use kuraka_ports::SessionDigest;
use sha2::{Digest, Sha256};

/// Bytes of randomness.
const BYTES: usize = 32;

/// The secret of a session. Its debug text does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionSecret(String);

impl SessionSecret {
    /// Generates a secret of 64 hexadecimal digits; `fill` provides the random bytes.
    ///
    /// # Errors
    /// Any error of `fill`.
    pub fn generate<E>(fill: impl FnOnce(&mut [u8]) -> Result<(), E>) -> Result<Self, E> {
        let mut bytes = [0; BYTES];
        fill(&mut bytes)?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The secret's text, for the browser.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The session's key in the store.
    #[must_use]
    pub fn digest(&self) -> SessionDigest {
        digest_of(&self.0)
    }
}

/// The digest of a presented secret, well-formed or not.
#[must_use]
pub fn digest_of(presented: &str) -> SessionDigest {
    SessionDigest(Sha256::digest(presented.as_bytes()).into())
}

impl fmt::Debug for SessionSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionSecret(…)")
    }
}
