//! Digests: mails of the changes of watched RUCs. The code of the link that ends one is stored itself, because every mail
//! repeats it; it opens nothing else.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{AccountId, Email, NewMail, StoreResult};

crate::words! {
    #[derive(Default)]
    pub enum DigestRhythm {
        #[default]
        Off = "off",
        /// At most one mail a day.
        Daily = "daily",
        Immediate = "immediate",
    }
}

#[derive(Clone, Copy, Debug)]
pub struct NewDigest<'a> {
    pub account: AccountId,
    pub rhythm: DigestRhythm,
    /// If the account has none.
    pub code: &'a str,
    /// Where a digest that was off begins.
    pub cursor: &'a str,
    pub now: Timestamp,
    pub due: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeasedDigest {
    pub account: AccountId,
    pub email: Email,
    pub rhythm: DigestRhythm,
    pub code: String,
    pub cursor: String,
    pub since: Timestamp,
}

/// [`crate::Accounts::delete`] deletes an account's digest.
#[async_trait]
pub trait Digests: Send + Sync + 'static {
    async fn digest_rhythm(&self, account: AccountId) -> StoreResult<DigestRhythm>;

    /// `Off` drops unsent mails. `Missing`.
    async fn set_digest(&self, new: &NewDigest<'_>) -> StoreResult<()>;

    async fn has_digest_code(&self, code: &str) -> StoreResult<bool>;

    /// `false` = no account has this code.
    async fn end_digest(&self, code: &str) -> StoreResult<bool>;

    /// Due digests of active accounts that are not at `newest`; due again at `until`.
    async fn lease_digests(
        &self,
        newest: &str,
        now: Timestamp,
        until: Timestamp,
        limit: u32,
    ) -> StoreResult<Vec<LeasedDigest>>;

    /// Moves a digest and adds its mail in one step. `false` = nothing: it is off, or was moved, or its account has
    /// another address.
    async fn move_digest(
        &self,
        leased: &LeasedDigest,
        cursor: &str,
        due: Timestamp,
        mail: Option<&NewMail>,
        now: Timestamp,
    ) -> StoreResult<bool>;
}
