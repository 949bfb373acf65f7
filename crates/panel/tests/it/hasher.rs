//! A hasher that is fast, busy or wrong.

use async_trait::async_trait;
use kuraka_ports::{PasswordError, PasswordHasher};

/// A password whose check panics.
pub(crate) const BUG: &str = "una frase que nadie esperaba";
pub(crate) const BUSY: &str = "hay demasiada gente en la cola";

/// Keeps passwords in clear: real hashing is slow, and the adapters test it.
pub(crate) struct Plain;

#[async_trait]
impl PasswordHasher for Plain {
    async fn hash(&self, password: &str) -> Result<String, PasswordError> {
        Ok(password.to_owned())
    }

    async fn verify(&self, password: &str, hash: &str) -> Result<bool, PasswordError> {
        match password {
            BUSY => Err(PasswordError::Busy),
            BUG => panic!("a bug in the hasher"),
            _ => Ok(password == hash),
        }
    }

    fn capacity(&self) -> usize {
        64
    }

    fn is_current(&self, _hash: &str) -> bool {
        true
    }

    fn placeholder(&self) -> &'static str {
        "no account has this password"
    }
}
