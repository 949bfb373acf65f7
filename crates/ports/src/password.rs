//! Password hashes. They are slow on purpose, so only a few are computed at once.

use async_trait::async_trait;
use thiserror::Error;

/// Why a password could be neither hashed nor checked.
#[derive(Debug, Error)]
pub enum PasswordError {
    /// Too many callers are waiting.
    #[error("too many passwords are being checked: try again in a moment")]
    Busy,
    /// The hash cannot be computed or read: no memory, no randomness, or a stored text that is no hash.
    #[error("a password cannot be hashed or checked")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Makes and checks password hashes.
#[async_trait]
pub trait PasswordHasher: Send + Sync + 'static {
    /// The PHC string of a password, with its own salt. A dropped future gives its turn back.
    ///
    /// # Errors
    /// [`PasswordError`].
    async fn hash(&self, password: &str) -> Result<String, PasswordError>;

    /// Whether `hash`, a PHC string, was made from this password. A wrong password takes as long as the right one.
    ///
    /// # Errors
    /// [`PasswordError`].
    async fn verify(&self, password: &str, hash: &str) -> Result<bool, PasswordError>;

    /// Whether a hash was made with the current parameters. If not, make a new one when the password is at hand.
    fn is_current(&self, hash: &str) -> bool;
}
