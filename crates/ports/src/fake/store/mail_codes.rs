//! Mailed codes in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{CodeRow, MemoryStore, Rows};
use crate::{
    AccountId, AccountStatus, CodeKind, Email, MailCodes, MailId, SecretDigest, StoreError, StoreErrorKind, StoreResult,
};

#[async_trait]
impl MailCodes for MemoryStore {
    async fn add_code(
        &self,
        digest: &SecretDigest,
        kind: CodeKind,
        account: AccountId,
        (mail, email): (MailId, &Email),
        expires: Timestamp,
    ) -> StoreResult<()> {
        let mut rows = self.call()?;
        if rows.account(account)?.email != *email && kind != CodeKind::ChangeAddress {
            return Err(StoreError::new(StoreErrorKind::Missing));
        }
        let codes = rows.codes.len();
        rows.codes.retain(|_, row| row.mail != mail);
        let is_first = rows.codes.len() == codes;
        rows.codes.insert(*digest, CodeRow { kind, account, expires, mail, email: email.clone() });
        if is_first && kind == CodeKind::NewPassword {
            rows.note("account.request_password", account, format!("account {account}"));
        }
        Ok(())
    }

    async fn find_code(
        &self,
        digest: &SecretDigest,
        kind: CodeKind,
        now: Timestamp,
    ) -> StoreResult<Option<(AccountId, Email)>> {
        Ok(self.call()?.code(digest, kind, now))
    }

    async fn use_code(&self, digest: &SecretDigest, now: Timestamp, hash: &str) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let Some((account, _)) = rows.code(digest, CodeKind::NewPassword, now) else { return Ok(false) };
        rows.passwords.insert(account, hash.to_owned());
        rows.end_sessions(account);
        rows.note("account.reset_password", account, format!("account {account}"));
        Ok(true)
    }

    async fn confirm(&self, digest: &SecretDigest, now: Timestamp, hash: &str) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let Some((id, _)) = rows.code(digest, CodeKind::ConfirmAddress, now) else { return Ok(false) };
        let is_waiting = rows.account(id)?.status == AccountStatus::Unconfirmed;
        if !is_waiting || rows.passwords.get(&id).is_none_or(|stored| stored != hash) {
            return Ok(false);
        }
        rows.change(id, |account| account.status = AccountStatus::Active)?;
        rows.end_sessions(id);
        rows.note("account.confirm", id, format!("account {id}"));
        Ok(true)
    }
}

impl Rows {
    pub(super) fn code(&self, digest: &SecretDigest, kind: CodeKind, now: Timestamp) -> Option<(AccountId, Email)> {
        let found = self.codes.get(digest).filter(|row| row.kind == kind && row.expires > now);
        found.map(|row| (row.account, row.email.clone()))
    }
}
