//! An owner's tokens.

use std::sync::Arc;

use ipnet::IpNet;
use jiff::{SignedDuration, Timestamp};
pub use kuraka_ports::MAX_ACTIVE_TOKENS as MAX_ACTIVE;
use kuraka_ports::{AccountId, Clock, NewToken, StoreError, StoreErrorKind, TokenId, TokenKind, Tokens};
use thiserror::Error;

use super::sign_in::RandomSource;
use crate::ApiToken;

pub const MAX_NAME_CHARS: usize = 100;
/// The most networks of one token.
pub const MAX_NETWORKS: usize = 20;
/// For how long ended tokens are kept for their owner to see.
pub(crate) const ENDED_KEPT_FOR: SignedDuration = SignedDuration::from_hours(24 * 90);
/// The longest lifetime of a token, in days.
pub const MAX_LIFETIME_DAYS: u32 = 3_650;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CreateToken {
    pub name: String,
    /// What answers its calls.
    pub kind: TokenKind,
    /// Days until expiry; `None` = never.
    pub days: Option<u32>,
    /// Networks or addresses that may use it; empty = any.
    pub allowed: Vec<String>,
}

#[derive(Debug, Error)]
pub enum CreateTokenError {
    /// Empty, too long, or with characters that do not print.
    #[error("a token's name has from 1 to {MAX_NAME_CHARS} printable characters")]
    Name,
    #[error("a token's lifetime is 1 to {MAX_LIFETIME_DAYS} days")]
    Days,
    #[error("{0:?} is no network such as 10.0.0.0/8, and no address")]
    Network(String),
    #[error("a token has at most {MAX_NETWORKS} networks")]
    TooManyNetworks,
    #[error("the account has {MAX_ACTIVE} active tokens, the maximum: revoke one")]
    TooMany,
    /// The system's randomness failed.
    #[error("the system's random generator failed: try again")]
    Busy,
    #[error(transparent)]
    Store(StoreError),
}

pub struct OwnTokens {
    pub tokens: Arc<dyn Tokens>,
    clock: Arc<dyn Clock>,
    random: RandomSource,
}

impl OwnTokens {
    /// `random` is for new tokens.
    pub fn new(tokens: Arc<dyn Tokens>, clock: Arc<dyn Clock>, random: RandomSource) -> Self {
        Self { tokens, clock, random }
    }

    /// Creates a token. Only the result has its text.
    ///
    /// # Errors
    /// [`CreateTokenError`].
    pub async fn create(&self, account: AccountId, create: &CreateToken) -> Result<ApiToken, CreateTokenError> {
        let name = create.name.trim();
        if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || name.chars().any(char::is_control) {
            return Err(CreateTokenError::Name);
        }
        let now = self.clock.now();
        let expires = create.days.map(|days| end_after(now, days).ok_or(CreateTokenError::Days)).transpose()?;
        if create.allowed.len() > MAX_NETWORKS {
            return Err(CreateTokenError::TooManyNetworks);
        }
        let allowed = create.allowed.iter().map(|text| network(text)).collect::<Result<_, _>>()?;
        let key = self.tokens.token_key().await.map_err(CreateTokenError::Store)?;
        let token = ApiToken::generate(create.kind, &key, self.random).map_err(|_| CreateTokenError::Busy)?;
        let kept = NewToken {
            account,
            name: name.to_owned(),
            digest: token.digest(),
            prefix: token.prefix().to_owned(),
            created: now,
            expires,
            allowed,
        };
        self.tokens.create(&kept).await.map_err(|error| {
            let is_full = error.kind == StoreErrorKind::LimitReached;
            if is_full { CreateTokenError::TooMany } else { CreateTokenError::Store(error) }
        })?;
        Ok(token)
    }

    /// `false` = the account has no such token.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn revoke(&self, account: AccountId, id: TokenId) -> Result<bool, StoreError> {
        self.tokens.revoke(Some(account), id, self.clock.now()).await
    }
}

fn end_after(now: Timestamp, days: u32) -> Option<Timestamp> {
    let is_sensible = (1..=MAX_LIFETIME_DAYS).contains(&days);
    is_sensible.then(|| now.checked_add(SignedDuration::from_hours(24 * i64::from(days))).ok()).flatten()
}

fn network(text: &str) -> Result<IpNet, CreateTokenError> {
    let text = text.trim();
    let address = text.parse::<std::net::IpAddr>().map(IpNet::from);
    text.parse::<IpNet>()
        .or(address)
        .map(|network| network.trunc())
        .map_err(|_| CreateTokenError::Network(text.to_owned()))
}
