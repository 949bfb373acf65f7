//! Sessions in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::MemoryStore;
use crate::{AccountId, AccountStatus, SecretDigest, Session, Sessions, StoreError, StoreErrorKind, StoreResult};

#[async_trait]
impl Sessions for MemoryStore {
    async fn begin(
        &self,
        digest: &SecretDigest,
        account: AccountId,
        hash: &str,
        now: Timestamp,
        replaced: Option<&SecretDigest>,
    ) -> StoreResult<()> {
        let mut rows = self.call()?;
        let is_active = rows.account(account)?.status == AccountStatus::Active;
        if !is_active || rows.passwords.get(&account).is_none_or(|stored| stored != hash) {
            return Err(StoreError::new(StoreErrorKind::Missing));
        }
        if rows.sessions.contains_key(digest) {
            return Err(StoreError::new(StoreErrorKind::Conflict));
        }
        if let Some(replaced) = replaced {
            rows.sessions.remove(replaced);
        }
        rows.sessions.insert(*digest, Session { account, begun: now, seen: now });
        rows.note("session.create", account, "session".to_owned());
        Ok(())
    }

    async fn find(&self, digest: &SecretDigest) -> StoreResult<Option<Session>> {
        Ok(self.call()?.sessions.get(digest).copied())
    }

    async fn note_seen(&self, digest: &SecretDigest, now: Timestamp) -> StoreResult<()> {
        if let Some(session) = self.call()?.sessions.get_mut(digest) {
            session.seen = now;
        }
        Ok(())
    }

    async fn end(&self, digest: &SecretDigest) -> StoreResult<()> {
        let mut rows = self.call()?;
        if let Some(session) = rows.sessions.remove(digest) {
            rows.note("session.end", session.account, "session".to_owned());
        }
        Ok(())
    }
}
