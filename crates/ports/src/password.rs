//! Hashes of passwords: slow by intent, so that they are made and checked a few at a time.

use async_trait::async_trait;
use thiserror::Error;

/// Why a password could be neither hashed nor checked.
#[derive(Debug, Error)]
pub enum PasswordError {
    /// Too many are waiting for their turn.
    #[error("too many passwords are being checked: try again in a moment")]
    Busy,
    /// It cannot be done at all: memory, randomness, a stored hash that is none.
    #[error("a password cannot be hashed or checked")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Makes and checks password hashes.
#[async_trait]
pub trait PasswordHasher: Send + Sync + 'static {
    /// The PHC string of a password, with a salt of its own. A dropped future gives its turn back.
    ///
    /// # Errors
    /// [`PasswordError`].
    async fn hash(&self, password: &str) -> Result<String, PasswordError>;

    /// Whether `hash`, a PHC string, was made from this password. Takes as long for a wrong one as for the right one.
    ///
    /// # Errors
    /// [`PasswordError`].
    async fn verify(&self, password: &str, hash: &str) -> Result<bool, PasswordError>;

    /// Whether a hash was made as hashes are made now; one that was not is to be made anew when its password is at hand.
    fn is_current(&self, hash: &str) -> bool;
}
