//! Mailed codes in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{MemoryStore, Rows};
use crate::{AccountId, AccountStatus, CodeDigest, CodeKind, MailCodes, StoreError};

#[async_trait]
impl MailCodes for MemoryStore {
    async fn add_code(
        &self,
        digest: &CodeDigest,
        kind: CodeKind,
        account: AccountId,
        expires: Timestamp,
    ) -> Result<(), StoreError> {
        let mut rows = self.call()?;
        rows.account(account)?;
        rows.codes.insert(*digest, (kind, account, expires));
        if kind == CodeKind::NewPassword {
            rows.note("account.request_password", account, format!("account {account}"));
        }
        Ok(())
    }

    async fn find_code(
        &self,
        digest: &CodeDigest,
        kind: CodeKind,
        now: Timestamp,
    ) -> Result<Option<AccountId>, StoreError> {
        Ok(self.call()?.code(digest, kind, now))
    }

    async fn use_code(&self, digest: &CodeDigest, now: Timestamp, hash: &str) -> Result<bool, StoreError> {
        let mut rows = self.call()?;
        let Some(account) = rows.code(digest, CodeKind::NewPassword, now) else { return Ok(false) };
        rows.passwords.insert(account, hash.to_owned());
        rows.end_sessions(account);
        rows.note("account.reset_password", account, format!("account {account}"));
        Ok(true)
    }

    async fn confirm(&self, digest: &CodeDigest, now: Timestamp, hash: &str) -> Result<bool, StoreError> {
        let mut rows = self.call()?;
        let Some(id) = rows.code(digest, CodeKind::ConfirmAddress, now) else { return Ok(false) };
        let is_waiting = rows.account(id)?.status == AccountStatus::Unconfirmed;
        if !is_waiting || rows.passwords.get(&id).is_none_or(|stored| stored != hash) {
            return Ok(false);
        }
        rows.change(id, |account| account.status = AccountStatus::Active)?;
        rows.end_sessions(id);
        rows.note("account.confirm", id, format!("account {id}"));
        Ok(true)
    }

    async fn sweep_codes(&self, now: Timestamp) -> Result<(), StoreError> {
        self.call()?.codes.retain(|_, (_, _, expires)| *expires > now);
        Ok(())
    }
}

impl Rows {
    fn code(&self, digest: &CodeDigest, kind: CodeKind, now: Timestamp) -> Option<AccountId> {
        let found = self.codes.get(digest).filter(|(known, _, expires)| *known == kind && *expires > now);
        found.map(|(_, account, _)| *account)
    }
}
