//! Tokens in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{Change, MemoryStore, Rows};
use crate::{
    AccountId, Changes, Credential, MAX_ACTIVE_TOKENS, MAX_ENDED_TOKENS, NewToken, Revision, SecretDigest, StoreError,
    StoreErrorKind, StoreResult, Token, TokenId, TokenKey, Tokens,
};

#[async_trait]
impl Tokens for MemoryStore {
    async fn create(&self, new: &NewToken) -> StoreResult<Token> {
        let mut rows = self.call()?;
        rows.account(new.account)?;
        if rows.tokens.iter().any(|(digest, ..)| *digest == new.digest) {
            return Err(StoreError::new(StoreErrorKind::Conflict));
        }
        let is_live = |token: &Token| token.revoked.is_none() && token.expires.is_none_or(|end| new.created < end);
        let own = rows.tokens.iter().filter(|(_, owner, _)| *owner == new.account);
        if own.filter(|(.., token)| is_live(token)).count() >= MAX_ACTIVE_TOKENS as usize {
            return Err(StoreError::new(StoreErrorKind::LimitReached));
        }
        let token = Token {
            id: TokenId(rows.latest_token + 1),
            name: new.name.clone(),
            prefix: new.prefix.clone(),
            created: new.created,
            revoked: None,
            last_used: None,
            expires: new.expires,
            allowed: new.allowed.clone(),
        };
        rows.latest_token += 1;
        rows.tokens.push((new.digest, new.account, token.clone()));
        rows.forget_ended(new.account, new.created);
        rows.note("token.create", new.account, format!("token {}", token.id));
        Ok(token)
    }

    async fn find(&self, digest: &SecretDigest) -> StoreResult<Option<Credential>> {
        let rows = self.call()?;
        rows.tokens
            .iter()
            .find(|(known, _, token)| known == digest && token.revoked.is_none())
            .map(|(_, owner, token)| {
                let account = rows.account(*owner)?.clone();
                Ok(Credential { token: token.id, account, expires: token.expires, allowed: token.allowed.clone() })
            })
            .transpose()
    }

    async fn list(&self, account: AccountId) -> StoreResult<Vec<Token>> {
        let rows = self.call()?;
        let own = rows.tokens.iter().filter(|(_, owner, _)| *owner == account);
        Ok(own.map(|(.., token)| token.clone()).collect())
    }

    async fn revoke(&self, owner: Option<AccountId>, id: TokenId, now: Timestamp) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let is_meant = |of: AccountId, token: &Token| token.id == id && owner.is_none_or(|owner| of == owner);
        let Some((_, of, token)) = rows.tokens.iter_mut().find(|(_, of, token)| is_meant(*of, token)) else {
            return Ok(false);
        };
        if token.revoked.is_none() {
            token.revoked = Some(now);
            let account = *of;
            rows.record(Some(Change::Token(id)));
            rows.note("token.revoke", account, format!("token {id}"));
        }
        Ok(true)
    }

    async fn token_key(&self) -> StoreResult<TokenKey> {
        Ok(self.call()?.other_token_key.unwrap_or(Self::TOKEN_KEY))
    }

    async fn note_uses(&self, uses: &[(TokenId, Timestamp)]) -> StoreResult<()> {
        let mut rows = self.call()?;
        for (id, now) in uses {
            if let Some((.., token)) = rows.tokens.iter_mut().find(|(.., token)| token.id == *id) {
                token.last_used = token.last_used.max(Some(*now));
            }
        }
        Ok(())
    }

    async fn changes(&self, since: Revision) -> StoreResult<Changes> {
        Ok(self.call()?.changes(since))
    }
}

impl Rows {
    fn forget_ended(&mut self, account: AccountId, now: Timestamp) {
        let own = self.tokens.iter().filter(|(_, owner, _)| *owner == account);
        let mut ended: Vec<_> = own
            .filter_map(|(.., token)| {
                let expired = token.expires.filter(|end| *end <= now);
                Some((token.revoked.or(expired)?, token.id))
            })
            .collect();
        ended.sort();
        ended.reverse();
        let gone: Vec<TokenId> = ended.into_iter().skip(MAX_ENDED_TOKENS as usize).map(|(_, id)| id).collect();
        self.tokens.retain(|(.., token)| !gone.contains(&token.id));
    }
}
