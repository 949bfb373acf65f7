//! Password hashes. Hashing is slow by design, so only a few run concurrently.

use async_trait::async_trait;
use thiserror::Error;

/// Why a password could be neither hashed nor checked.
#[derive(Debug, Error)]
pub enum PasswordError {
    #[error("too many passwords are being checked: try again in a moment")]
    Busy,
    /// No memory, no randomness, or the stored text is no hash.
    #[error("a password cannot be hashed or checked")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

#[async_trait]
pub trait PasswordHasher: Send + Sync + 'static {
    /// A PHC string with a new salt. A dropped future leaves the queue.
    async fn hash(&self, password: &str) -> Result<String, PasswordError>;

    /// `hash` is a PHC string. A wrong password takes as long as the right one.
    async fn verify(&self, password: &str, hash: &str) -> Result<bool, PasswordError>;

    /// Callers that hash, check or wait at a time; further ones are `Busy`.
    fn capacity(&self) -> usize;

    /// Whether the hash has the current parameters; else replace it at the next sign-in.
    fn is_current(&self, hash: &str) -> bool;

    /// A current hash of no known password: checking it takes as long as checking an account's.
    fn placeholder(&self) -> &'static str;
}
