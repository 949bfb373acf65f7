//! Mailed codes in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{CodeRow, MemoryStore, Rows};
use crate::{AccountId, AccountStatus, CodeDigest, CodeKind, Email, MailCodes, MailId, StoreError};

#[async_trait]
impl MailCodes for MemoryStore {
    async fn add_code(
        &self,
        digest: &CodeDigest,
        kind: CodeKind,
        account: AccountId,
        mail: MailId,
        expires: Timestamp,
    ) -> Result<(), StoreError> {
        let mut rows = self.call()?;
        rows.account(account)?;
        let codes = rows.codes.len();
        rows.codes.retain(|_, row| row.mail != mail);
        let is_first = rows.codes.len() == codes;
        rows.codes.insert(*digest, CodeRow { kind, account, expires, mail });
        if is_first && kind == CodeKind::NewPassword {
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

    async fn add_address_code(
        &self,
        digest: &CodeDigest,
        account: AccountId,
        mail: MailId,
        email: &Email,
        expires: Timestamp,
    ) -> Result<(), StoreError> {
        self.add_code(digest, CodeKind::ChangeAddress, account, mail, expires).await?;
        self.call()?.code_addresses.insert(*digest, email.clone());
        Ok(())
    }

    async fn find_address_code(
        &self,
        digest: &CodeDigest,
        now: Timestamp,
    ) -> Result<Option<(AccountId, Email)>, StoreError> {
        let rows = self.call()?;
        Ok(rows.code(digest, CodeKind::ChangeAddress, now).zip(rows.code_addresses.get(digest).cloned()))
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
        let rows = &mut *self.call()?;
        let is_attempted = |id| rows.mails.iter().any(|mail| mail.id == id && mail.due.is_some());
        rows.codes.retain(|_, row| row.expires > now || is_attempted(row.mail));
        Ok(())
    }
}

impl Rows {
    fn code(&self, digest: &CodeDigest, kind: CodeKind, now: Timestamp) -> Option<AccountId> {
        let found = self.codes.get(digest).filter(|row| row.kind == kind && row.expires > now);
        found.map(|row| row.account)
    }
}
