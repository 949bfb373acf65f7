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
    /// When it expires, if ever.
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
    /// When it expires, if ever.
    pub expires: Option<Timestamp>,
    /// The networks it may be used from; empty = any.
    pub allowed: Vec<IpNet>,
}

/// What the digest of an active token stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// The token.
    pub token: TokenId,
    /// The account behind it, as it is now.
    pub account: Account,
    /// When it expires, if ever. The store does not compare it with any clock.
    pub expires: Option<Timestamp>,
    /// The networks it may be used from; empty = any.
    pub allowed: Vec<IpNet>,
}

/// What changed in a store since a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The store's revision now: the next question begins here.
    pub latest: u64,
    /// What makes a cached credential wrong.
    pub what: Changed,
}

/// The accounts and tokens whose cached credentials are wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Exactly these, the oldest change first; none if both are empty.
    Named {
        /// Accounts with a new plan or status, and deleted ones.
        accounts: Vec<AccountId>,
        /// Revoked tokens.
        tokens: Vec<TokenId>,
    },
    /// The store does not know which: it keeps the latest few thousand changes, and an older version names none.
    Everything,
}

/// Stores tokens. Times are kept to the microsecond.
#[async_trait]
pub trait Tokens: Send + Sync + 'static {
    /// Stores a new token, which works at once. Not safe to call twice: the digest is unique.
    ///
    /// # Errors
    /// `Conflict` for a known digest, `Missing` without the account, `Unavailable`.
    async fn create(&self, token: &NewToken) -> Result<Token, StoreError>;

    /// The credential of a digest; `None` = unknown or revoked.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn find(&self, digest: &TokenDigest) -> Result<Option<Credential>, StoreError>;

    /// An account's tokens, the oldest first, revoked ones included.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn list(&self, account: AccountId) -> Result<Vec<Token>, StoreError>;

    /// Revokes a token; `false` = there is no such token. Safe to call twice: the first time stays. The revocation is
    /// named by [`Tokens::changes`] before the method returns.
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
    /// Not a change.
    ///
    /// # Errors
    /// `Unavailable`: some may be noted.
    async fn note_uses(&self, uses: &[(TokenId, Timestamp)]) -> Result<(), StoreError>;

    /// What makes a cached credential wrong: the changes after revision `since`, made by any server or command.
    /// The first question asks with 0, and every other one with the `latest` of the answer before it. A revision that
    /// the store has not reached is answered with `Everything`.
    ///
    /// A new account and a new token are no changes, so a cache keeps no digest that is unknown.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn changes(&self, since: u64) -> Result<Changes, StoreError>;
}

impl Changed {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Named { accounts, tokens } if accounts.is_empty() && tokens.is_empty())
    }
}

/// Never printed: a digest in a log has no use.
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
