//! The statements on mailed codes.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{AccountId, CodeDigest, MailCodes, StoreError};

use super::accounts::line;
use super::{Store, row};

#[async_trait]
impl MailCodes for Store {
    async fn add_code(&self, digest: &CodeDigest, account: AccountId, expires: Timestamp) -> Result<(), StoreError> {
        let query =
            sqlx::query("INSERT INTO mail_code (digest, account, expires) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
                .bind(&digest.0[..])
                .bind(account.0)
                .bind(expires.as_microsecond());
        let mut transaction = self.writer_transaction().await?;
        if transaction.execute(query).await? > 0 {
            self.note(&mut transaction, &line("account.request_password", account, None, None)).await?;
        }
        transaction.commit().await
    }

    async fn find_code(&self, digest: &CodeDigest, now: Timestamp) -> Result<Option<AccountId>, StoreError> {
        let query = sqlx::query("SELECT account FROM mail_code WHERE digest = $1 AND expires > $2")
            .bind(&digest.0[..])
            .bind(now.as_microsecond());
        let found = self.reader().await?.fetch_optional(query).await?;
        found.map(|found| Ok(AccountId(row::column(&found, "account")?))).transpose()
    }

    async fn use_code(&self, digest: &CodeDigest, now: Timestamp, hash: &str) -> Result<bool, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let query = sqlx::query("DELETE FROM mail_code WHERE digest = $1 AND expires > $2 RETURNING account")
            .bind(&digest.0[..])
            .bind(now.as_microsecond());
        let Some(used) = transaction.fetch_optional(query).await? else { return Ok(false) };
        let account = AccountId(row::column(&used, "account")?);
        transaction.set_password(account, hash).await?;
        self.note(&mut transaction, &line("account.reset_password", account, None, None)).await?;
        transaction.commit().await?;
        Ok(true)
    }

    async fn sweep_codes(&self, now: Timestamp) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM mail_code WHERE expires <= $1").bind(now.as_microsecond());
        self.writer().await?.execute(query).await?;
        Ok(())
    }
}
