//! The error of signing up and in, of a password change, and of a deletion.

use kuraka_ports::{PasswordError, StoreError, StoreErrorKind};
use thiserror::Error;

use crate::accounts::password_rules::WeakPasswordError;
use crate::accounts::throttle::ThrottledError;

#[derive(Debug, Error)]
pub enum SignInError {
    /// Never from a sign-up.
    #[error("wrong e-mail address or password")]
    Wrong,
    /// The password is right, but the account is suspended. Only from a log-in.
    #[error("the account is suspended")]
    Suspended,
    /// The text is no e-mail address. Only from a sign-up and a change of the address.
    #[error("the text is no e-mail address")]
    Email,
    /// The address already has an account. Only from a sign-up and a change of the address.
    #[error("an account with this address already exists")]
    Taken,
    #[error("the password is refused")]
    Weak(#[from] WeakPasswordError),
    #[error(transparent)]
    Throttled(#[from] ThrottledError),
    /// Passwords cannot be hashed now, or randomness failed.
    #[error("passwords cannot be checked now")]
    Busy,
    #[error("the store could not be asked for the account")]
    Store(#[from] StoreError),
}

impl SignInError {
    /// The store could not give an account this address.
    pub(super) fn from_new_address(error: StoreError) -> Self {
        if error.kind == StoreErrorKind::Conflict { Self::Taken } else { Self::Store(error) }
    }

    /// The session could not begin because another request has changed the password since.
    pub(crate) fn after_new_password(self) -> Self {
        if matches!(self, Self::Wrong) { Self::Busy } else { self }
    }
}

impl From<PasswordError> for SignInError {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Busy => tracing::warn!("the queue of passwords to check is full: a sign-in is refused"),
            PasswordError::Failed(cause) => tracing::error!(%cause, "a password could not be hashed or checked"),
        }
        Self::Busy
    }
}
