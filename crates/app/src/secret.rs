//! A secret of a browser, and what the store has of a token, a session's secret or a mailed code.

use std::fmt;

use kuraka_ports::SecretDigest;
use sha2::{Digest, Sha256};

/// For the browser. `Debug` hides it.
pub struct Secret(pub(crate) String);

impl Secret {
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

pub(crate) fn digest_of(secret: impl AsRef<[u8]>) -> SecretDigest {
    SecretDigest(Sha256::digest(secret).into())
}
