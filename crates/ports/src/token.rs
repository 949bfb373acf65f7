//! API tokens in the store, which holds their digests and never the tokens.

use std::fmt;

use async_trait::async_trait;
use ipnet::IpNet;
use jiff::Timestamp;
use serde::Serialize;

use crate::{Account, AccountId, StoreError};

/// SHA-256 of a token's text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenDigest(pub [u8; 32]);

/// The key of the checksums of a store's tokens, made with the store. Only a copy from another store replaces it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenKey(pub [u8; 32]);

/// A token's number in the store; never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct TokenId(pub i64);

/// Maximum number of ended tokens (revoked or expired) that the store keeps of one account.
pub const MAX_ENDED_TOKENS: u32 = 100;

/// Maximum number of active tokens (neither revoked nor expired) of one account.
pub const MAX_ACTIVE_TOKENS: u32 = 50;

/// A new token, to be stored.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// The account that owns the token.
    pub account: AccountId,
    /// The name that its owner chose.
    pub name: String,
    /// SHA-256 of the token's text.
    pub digest: TokenDigest,
    /// The first characters, by which the owner recognises the token.
    pub prefix: String,
    /// When it was created.
    pub created: Timestamp,
    /// When it expires, if ever.
    pub expires: Option<Timestamp>,
    /// The networks it may be used from; empty = any.
    pub allowed: Vec<IpNet>,
}

/// A token as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Token {
    /// Number in the store.
    pub id: TokenId,
    /// The name that its owner chose.
    pub name: String,
    /// The first characters, by which the owner recognises the token.
    pub prefix: String,
    /// When it was created.
    pub created: Timestamp,
    /// Time of the latest use that was recorded.
    pub last_used: Option<Timestamp>,
    /// When it expires, if ever.
    pub expires: Option<Timestamp>,
    /// The networks it may be used from; empty = any.
    pub allowed: Vec<IpNet>,
    /// When it was revoked, if it was.
    pub revoked: Option<Timestamp>,
}

/// An active token with its account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    /// The token's number.
    pub token: TokenId,
    /// The account that owns it, as stored now.
    pub account: Account,
    /// The store does not compare it with any clock.
    pub expires: Option<Timestamp>,
    /// The networks it may be used from; empty = any.
    pub allowed: Vec<IpNet>,
}

/// A state of the store. Every change that makes a cached credential wrong creates the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// The number of changes so far.
    pub number: u64,
    /// A random number, made with the revision: a store that lost changes in a failover reuses their numbers, but not
    /// their epochs.
    pub epoch: i64,
}

impl Revision {
    /// A revision that no store reaches, so that the answer names no change.
    pub const UNREACHED: Self = Self { number: u64::MAX, epoch: 0 };
}

/// Changes in a store since a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The store's current revision, from which the next query continues.
    pub latest: Revision,
    /// The changes.
    pub what: Changed,
}

/// The accounts and tokens with outdated cached credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Exactly these, the oldest change first; none if both are empty.
    Named {
        /// Accounts with a new plan or status, and deleted ones.
        accounts: Vec<AccountId>,
        /// Revoked tokens.
        tokens: Vec<TokenId>,
    },
    /// Unknown changes: the store keeps only the latest few thousand, a copy of another store records none, and a
    /// failover may lose some.
    Everything,
}

/// Stores tokens. Times are kept to the microsecond.
#[async_trait]
pub trait Tokens: Send + Sync + 'static {
    /// Stores a new token, active at once. Deletes the account's longest ended tokens beyond [`MAX_ENDED_TOKENS`]. Not safe
    /// to call twice: the digest is unique.
    ///
    /// # Errors
    /// `Conflict` for a known digest, `Missing` without the account, `LimitReached` if the account has [`MAX_ACTIVE_TOKENS`]
    /// active tokens when the new one is created, `Unavailable`.
    async fn create(&self, token: &NewToken) -> Result<Token, StoreError>;

    /// The credential of a digest; `None` = unknown or revoked.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn find(&self, digest: &TokenDigest) -> Result<Option<Credential>, StoreError>;

    /// An account's tokens, the oldest first, ended ones included while they are kept.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn list(&self, account: AccountId) -> Result<Vec<Token>, StoreError>;

    /// Revokes a token, of this owner if one is given; `false` = no such token. Safe to call twice: the first time
    /// stays. [`Tokens::changes`] reports the revocation before the method returns.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn revoke(&self, owner: Option<AccountId>, id: TokenId, now: Timestamp) -> Result<bool, StoreError>;

    /// The key of the checksums, the same for every process on the store. [`Tokens::changes`] reports a new key as
    /// `Everything`.
    ///
    /// # Errors
    /// `Unavailable`, `Unreadable`.
    async fn token_key(&self) -> Result<TokenKey, StoreError>;

    /// Deletes up to `limit` tokens that were revoked or expired before this instant, and returns their number. Not
    /// reported by [`Tokens::changes`], because none of them is accepted.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn sweep(&self, ended_before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Records when tokens were last used. Earlier times than the stored one and unknown tokens are ignored. Not
    /// reported by [`Tokens::changes`].
    ///
    /// # Errors
    /// `Unavailable`: some may be recorded.
    async fn note_uses(&self, uses: &[(TokenId, Timestamp)]) -> Result<(), StoreError>;

    /// Changes after revision `since` that make a cached credential wrong, made by any server or command. The first
    /// call passes the default, each later one the `latest` of the previous answer. If the store has not reached
    /// `since`, or has that number with another epoch, the answer is `Everything`.
    ///
    /// New accounts and tokens are not reported: a token is stored before anyone can present it.
    ///
    /// # Errors
    /// `Unavailable`.
    async fn changes(&self, since: Revision) -> Result<Changes, StoreError>;
}

impl Changed {
    /// Whether nothing changed.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Named { accounts, tokens } if accounts.is_empty() && tokens.is_empty())
    }
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenKey(…)")
    }
}

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
