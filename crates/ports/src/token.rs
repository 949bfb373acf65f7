//! API tokens. The store has their digests, never the tokens.

use std::fmt;

use async_trait::async_trait;
use ipnet::IpNet;
use jiff::Timestamp;
use serde::Serialize;

use crate::{Account, AccountId, SecretDigest, StoreResult};

/// The key of the tokens' checksums, made with the store; only a copy from another store replaces it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenKey(pub [u8; 32]);

/// What answers the calls with a token. The token's prefix says it, for good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// The published data and the real sources.
    #[default]
    Live,
    /// The bundled sample and the sandbox; never charged.
    Test,
}

/// Never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct TokenId(pub i64);

/// Revoked or expired tokens that the store keeps of one account.
pub const MAX_ENDED_TOKENS: u32 = 100;

/// Tokens of one account that are neither revoked nor expired.
pub const MAX_ACTIVE_TOKENS: u32 = 50;

#[derive(Clone, Debug)]
pub struct NewToken {
    pub account: AccountId,
    pub name: String,
    pub digest: SecretDigest,
    pub prefix: String,
    pub created: Timestamp,
    pub expires: Option<Timestamp>,
    /// Empty = any.
    pub allowed: Vec<IpNet>,
}

/// As its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Token {
    pub id: TokenId,
    /// Chosen by the owner.
    pub name: String,
    /// The first characters, by which the owner recognises it.
    pub prefix: String,
    pub created: Timestamp,
    /// The latest recorded use.
    pub last_used: Option<Timestamp>,
    pub expires: Option<Timestamp>,
    pub allowed: Vec<IpNet>,
    pub revoked: Option<Timestamp>,
}

/// An active token with its account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credential {
    pub token: TokenId,
    /// As stored now.
    pub account: Account,
    /// The store compares it with no clock.
    pub expires: Option<Timestamp>,
    /// Empty = any.
    pub allowed: Vec<IpNet>,
}

/// A state of the store: every change that makes a cached credential wrong creates the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// Changes so far.
    pub number: u64,
    /// Random: a store that lost changes in a failover reuses their numbers, but not their epochs.
    pub epoch: i64,
}

impl Revision {
    /// No store reaches it.
    pub const UNREACHED: Self = Self { number: u64::MAX, epoch: 0 };
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The current revision, from which the next query continues.
    pub latest: Revision,
    pub what: Changed,
}

/// Outdated cached credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Exactly these, the oldest change first.
    Named {
        /// With a new plan or status, or deleted.
        accounts: Vec<AccountId>,
        tokens: Vec<TokenId>,
    },
    /// Unknown: the store keeps the latest few thousand changes, a copy of another store records none, and a failover
    /// may lose some.
    Everything,
}

/// Times are kept to the microsecond.
#[async_trait]
pub trait Tokens: Send + Sync + 'static {
    /// Stores a new token, active at once, and deletes the longest ended ones beyond [`MAX_ENDED_TOKENS`]. Not safe to
    /// call twice: the digest is unique. `Conflict` for a known digest, `Missing` without the account, `LimitReached`
    /// beyond [`MAX_ACTIVE_TOKENS`] active tokens at its creation.
    async fn create(&self, token: &NewToken) -> StoreResult<Token>;

    /// `None` = unknown or revoked.
    async fn find(&self, digest: &SecretDigest) -> StoreResult<Option<Credential>>;

    /// The oldest first, kept ended ones included.
    async fn list(&self, account: AccountId) -> StoreResult<Vec<Token>>;

    /// Revokes a token, of this owner if given; `false` = no such token. Safe to call twice: the first time stays.
    /// [`Tokens::changes`] reports it before the method returns.
    async fn revoke(&self, owner: Option<AccountId>, id: TokenId, now: Timestamp) -> StoreResult<bool>;

    /// The same for every process on the store. [`Tokens::changes`] reports a new key as `Everything`.
    async fn token_key(&self) -> StoreResult<TokenKey>;

    /// Records uses. Earlier times and unknown tokens are ignored. Not reported by [`Tokens::changes`]. `Unavailable`:
    /// some may be recorded.
    async fn note_uses(&self, uses: &[(TokenId, Timestamp)]) -> StoreResult<()>;

    /// Changes after `since` that make a cached credential wrong, by any server or command. Pass the default first,
    /// then the previous answer's `latest`. `Everything` if the store has not reached `since`, or has that number with
    /// another epoch.
    ///
    /// New accounts and tokens are not reported: a token is stored before anyone can present it.
    async fn changes(&self, since: Revision) -> StoreResult<Changes>;
}

impl Changed {
    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Named { accounts, tokens } if accounts.is_empty() && tokens.is_empty())
    }
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenKey(…)")
    }
}

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
