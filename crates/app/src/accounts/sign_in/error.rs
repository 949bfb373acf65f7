//! The errors of signing up and in, and of a change of a password.

use kuraka_ports::{PasswordError, StoreError};
use thiserror::Error;

use crate::accounts::password_rules::WeakPassword;
use crate::accounts::throttle::Throttled;

/// Why a sign-in failed.
#[derive(Debug, Error)]
pub enum SignInError {
    /// Unknown address, or wrong password.
    #[error("the address and the password do not belong together")]
    Wrong,
    /// The password is right, but the account is suspended.
    #[error("the account is suspended")]
    Suspended,
    /// Too many attempts.
    #[error(transparent)]
    Throttled(Throttled),
    /// Passwords cannot be hashed now, or the system provides no randomness.
    #[error("passwords cannot be checked now")]
    Busy,
    /// The store failed.
    #[error("the store could not be asked for the account")]
    Store(#[source] StoreError),
}

/// Why an account was not created, or a new password was refused.
#[derive(Debug, Error)]
pub enum SignUpError {
    /// The text is no e-mail address.
    #[error("the text is no e-mail address")]
    Email,
    /// The address already has an account.
    #[error("the address has an account")]
    Taken,
    /// The password is too easy to guess.
    #[error("the password is refused")]
    Weak(#[source] WeakPassword),
    /// Too many attempts.
    #[error(transparent)]
    Throttled(Throttled),
    /// Passwords cannot be hashed now, or the system provides no randomness.
    #[error("passwords cannot be checked now")]
    Busy,
    /// The store failed.
    #[error("the store could not be asked for the account")]
    Store(#[source] StoreError),
}

/// Why a password was not changed.
#[derive(Debug, Error)]
pub enum ChangePasswordError {
    /// The current password is wrong, or could not be checked.
    #[error("the current password is not confirmed")]
    Current(#[source] SignInError),
    /// The new password is refused.
    #[error("the new password is not taken")]
    New(#[from] SignUpError),
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

impl From<SignInError> for SignUpError {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::Wrong | SignInError::Suspended | SignInError::Busy => Self::Busy,
            SignInError::Throttled(throttled) => Self::Throttled(throttled),
            SignInError::Store(error) => Self::Store(error),
        }
    }
}
