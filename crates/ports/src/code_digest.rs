//! What the store has of a mailed code.

use std::fmt;

/// SHA-256 of a code.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CodeDigest(pub [u8; 32]);

/// The digest could be compared with others.
impl fmt::Debug for CodeDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeDigest(…)")
    }
}
