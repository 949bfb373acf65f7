//! Tokens in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{Change, MemoryStore};
use crate::{
    AccountId, Changes, Credential, NewToken, StoreError, StoreErrorKind, Token, TokenDigest, TokenId, Tokens,
};

#[async_trait]
impl Tokens for MemoryStore {
    async fn create(&self, new: &NewToken) -> Result<Token, StoreError> {
        let mut rows = self.call()?;
        rows.account(new.account)?;
        if rows.tokens.iter().any(|(digest, ..)| *digest == new.digest) {
            return Err(StoreError::new(StoreErrorKind::Conflict));
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
        Ok(token)
    }

    async fn find(&self, digest: &TokenDigest) -> Result<Option<Credential>, StoreError> {
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

    async fn list(&self, account: AccountId) -> Result<Vec<Token>, StoreError> {
        let rows = self.call()?;
        let own = rows.tokens.iter().filter(|(_, owner, _)| *owner == account);
        Ok(own.map(|(.., token)| token.clone()).collect())
    }

    async fn revoke(&self, id: TokenId, now: Timestamp) -> Result<bool, StoreError> {
        let mut rows = self.call()?;
        let Some((.., token)) = rows.tokens.iter_mut().find(|(.., token)| token.id == id) else {
            return Ok(false);
        };
        if token.revoked.is_none() {
            token.revoked = Some(now);
            rows.changes.push(Some(Change::Token(id)));
        }
        Ok(true)
    }

    async fn revoke_own(&self, account: AccountId, id: TokenId, now: Timestamp) -> Result<bool, StoreError> {
        let is_own = self.call()?.tokens.iter().any(|(_, owner, token)| *owner == account && token.id == id);
        if is_own { self.revoke(id, now).await } else { Ok(false) }
    }

    async fn note_uses(&self, uses: &[(TokenId, Timestamp)]) -> Result<(), StoreError> {
        let mut rows = self.call()?;
        for (id, now) in uses {
            if let Some((.., token)) = rows.tokens.iter_mut().find(|(.., token)| token.id == *id) {
                token.last_used = token.last_used.max(Some(*now));
            }
        }
        Ok(())
    }

    async fn changes(&self, since: u64) -> Result<Changes, StoreError> {
        Ok(self.call()?.changes(since))
    }
}
