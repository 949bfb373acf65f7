//! API tokens as the store knows them: digests, never the tokens themselves.

use std::fmt;

use async_trait::async_trait;
use ipnet::IpNet;
use jiff::Timestamp;

use crate::{Account, AccountId, StoreError};

/// SHA-256 of a token's text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenDigest(pub [u8; 32]);

/// A token's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId(pub i64);

/// What is kept of a token that has just been made.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// Its owner.
    pub account: AccountId,
    /// What its owner calls it.
    pub name: String,
    /// SHA-256 of its text.
    pub digest: TokenDigest,
    /// Its first characters, to be recognised by.
    pub prefix: String,
    /// When it was made.
    pub created: Timestamp,
    /// From when on it leads nowhere, if ever.
    pub expires: Option<Timestamp>,
    /// The networks it may be used from; empty = any.
    pub allowed: Vec<IpNet>,
}

/// A token as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its number.
    pub id: TokenId,
    /// What its owner calls it.
    pub name: String,
    /// Its first characters.
    pub prefix: String,
    /// When it was made.
    pub created: Timestamp,
    /// When it was revoked, if it was.
    pub revoked: Option<Timestamp>,
    /// When it was last used, as far as was noted.
    pub last_used: Option<Timestamp>,
    /// From when on it leads nowhere, if ever.
    pub expires: Option<Timestamp>,
    /// The networks it may be used from; empty = any.
    pub allowed: Vec<IpNet>,
}

/// What a live token's digest leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// The token.
    pub token: TokenId,
    /// The account behind it, as it is now.
    pub account: Account,
    /// From when on it leads nowhere, if ever. The store does not compare it with any clock.
    pub expires: Option<Timestamp>,
    /// The networks it may be used from; empty = any.
    pub allowed: Vec<IpNet>,
}

/// Tokens, kept. Times are kept to the microsecond.
#[async_trait]
pub trait Tokens: Send + Sync + 'static {
    /// Keeps a new token, which leads to its account at once. Not safe to call twice: the digest is unique.
    ///
    /// # Errors
    /// `Conflict` for a known digest, `Missing` without the account, `Unavailable`.
    async fn create(&self, token: &NewToken) -> Result<Token, StoreError>;

    /// What the digest leads to; `None` = unknown or revoked.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn find(&self, digest: &TokenDigest) -> Result<Option<Credential>, StoreError>;

    /// An account's tokens, the oldest first, revoked ones included.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn list(&self, account: AccountId) -> Result<Vec<Token>, StoreError>;

    /// Revokes a token; `false` = there is no such token. Safe to call twice: the first time stays.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn revoke(&self, id: TokenId, now: Timestamp) -> Result<bool, StoreError>;

    /// Revokes a token of this account; `false` = the account has no such token. Safe to call twice.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn revoke_own(&self, account: AccountId, id: TokenId, now: Timestamp) -> Result<bool, StoreError>;

    /// Notes when tokens were last used; an earlier time than the one noted changes nothing, an unknown token neither.
    /// Moves no revision.
    ///
    /// # Errors
    /// `Unavailable`: some may be noted.
    async fn note_uses(&self, uses: &[(TokenId, Timestamp)]) -> Result<(), StoreError>;

    /// A number that grows with every change of an account or a revocation, whoever makes it:
    /// a cache of credentials is good while this stays the same. A new account or token leaves it as it is,
    /// for neither makes a cached credential wrong; a digest that leads nowhere is therefore never cached.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn revision(&self) -> Result<u64, StoreError>;
}

/// Never printed: a digest in a log helps nobody.
impl fmt::Debug for TokenDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenDigest(…)")
    }
}

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
