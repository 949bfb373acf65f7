//! What the store has of a secret.

use std::fmt;

/// SHA-256 of a token's text, a session's secret or a mailed code.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretDigest(pub [u8; 32]);

/// The digest could be compared with others.
impl fmt::Debug for SecretDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretDigest(…)")
    }
}
