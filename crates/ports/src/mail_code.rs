//! Codes that are mailed, as links. The store has only their digests.

use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{AccountId, StoreError};

/// SHA-256 of a code.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CodeDigest(pub [u8; 32]);

/// The digest could be compared with others.
impl fmt::Debug for CodeDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeDigest(…)")
    }
}

/// Stores the codes for new passwords. A code is used once, and a use voids the account's other ones.
#[async_trait]
pub trait MailCodes: Send + Sync + 'static {
    /// Adds a code that ends at `expires`. Safe to call twice.
    ///
    /// # Errors
    /// `Missing` if there is no such account, `Unavailable`.
    async fn add_code(&self, digest: &CodeDigest, account: AccountId, expires: Timestamp) -> Result<(), StoreError>;

    /// The account of a code; `None` = it is unknown, used, void or expired.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn find_code(&self, digest: &CodeDigest, now: Timestamp) -> Result<Option<AccountId>, StoreError>;

    /// Uses a code: replaces the password hash of its account, voids the account's codes and ends its sessions, in one
    /// step. `false` as `None` of [`MailCodes::find_code`]: nothing has changed.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn use_code(&self, digest: &CodeDigest, now: Timestamp, hash: &str) -> Result<bool, StoreError>;

    /// Deletes expired codes.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn sweep_codes(&self, now: Timestamp) -> Result<(), StoreError>;
}
