//! What the store has of a token, a session's secret or a mailed code.

use kuraka_ports::SecretDigest;
use sha2::{Digest, Sha256};

pub(crate) fn digest_of(secret: impl AsRef<[u8]>) -> SecretDigest {
    SecretDigest(Sha256::digest(secret).into())
}
