//! Mailed codes in memory.

use async_trait::async_trait;
use jiff::Timestamp;

use super::MemoryStore;
use crate::{AccountId, CodeDigest, MailCodes, StoreError};

#[async_trait]
impl MailCodes for MemoryStore {
    async fn add_code(&self, digest: &CodeDigest, account: AccountId, expires: Timestamp) -> Result<(), StoreError> {
        let mut rows = self.call()?;
        rows.account(account)?;
        rows.codes.insert(*digest, (account, expires));
        rows.note("account.request_password", account, format!("account {account}"));
        Ok(())
    }

    async fn find_code(&self, digest: &CodeDigest, now: Timestamp) -> Result<Option<AccountId>, StoreError> {
        let rows = self.call()?;
        Ok(rows.codes.get(digest).filter(|(_, expires)| *expires > now).map(|(account, _)| *account))
    }

    async fn use_code(&self, digest: &CodeDigest, now: Timestamp, hash: &str) -> Result<bool, StoreError> {
        let mut rows = self.call()?;
        let found = rows.codes.get(digest).filter(|(_, expires)| *expires > now).map(|(account, _)| *account);
        let Some(account) = found else { return Ok(false) };
        rows.passwords.insert(account, hash.to_owned());
        rows.end_sessions(account);
        rows.note("account.reset_password", account, format!("account {account}"));
        Ok(true)
    }

    async fn sweep_codes(&self, now: Timestamp) -> Result<(), StoreError> {
        self.call()?.codes.retain(|_, (_, expires)| *expires > now);
        Ok(())
    }
}
