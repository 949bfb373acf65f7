//! Codes that are mailed, as links. The store has only their digests.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{AccountId, Email, MailId, SecretDigest, StoreResult};

crate::words! {
    /// As words: in the store.
    #[derive(Hash)]
    pub enum CodeKind {
        NewPassword = "new_password",
        /// The confirmation of a new account's address.
        ConfirmAddress = "confirm_address",
        /// Another address of an account, which [`crate::Accounts::replace_email`] uses.
        ChangeAddress = "change_address",
    }
}

/// Stores codes. A code is used once, and a use voids the account's other ones.
#[async_trait]
pub trait MailCodes: Send + Sync + 'static {
    /// Adds the code of an attempt to send a mail to this address, which ends at `expires`. It replaces the one of an
    /// earlier attempt; the first is audited. Safe to call twice. `Missing` if there is no such account, or if it has
    /// no longer this address and is not to get it.
    async fn add_code(
        &self,
        digest: &SecretDigest,
        kind: CodeKind,
        account: AccountId,
        mail: (MailId, &Email),
        expires: Timestamp,
    ) -> StoreResult<()>;

    /// The account of a code, and the address of its mail; `None` = it is unknown, used, void or expired.
    async fn find_code(
        &self,
        digest: &SecretDigest,
        kind: CodeKind,
        now: Timestamp,
    ) -> StoreResult<Option<(AccountId, Email)>>;

    /// Uses a code for a new password: replaces the password hash of its account, voids the account's codes and ends
    /// its sessions, in one step. `false` as `None` of [`MailCodes::find_code`]: nothing has changed.
    async fn use_code(&self, digest: &SecretDigest, now: Timestamp, hash: &str) -> StoreResult<bool>;

    /// Uses a code that confirms an address: makes its unconfirmed account active, if the password hash is still
    /// `hash`, which was checked. `false` = nothing has changed.
    async fn confirm(&self, digest: &SecretDigest, now: Timestamp, hash: &str) -> StoreResult<bool>;
}
