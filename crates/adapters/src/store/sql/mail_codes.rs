//! The statements on mailed codes.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{AccountId, CodeDigest, CodeKind, Email, MailCodes, MailId, StoreError, StoreErrorKind};

use super::accounts::line;
use super::changes::Change;
use super::error::unreadable;
use super::{Store, Transaction, row};

#[async_trait]
impl MailCodes for Store {
    async fn add_code(
        &self,
        digest: &CodeDigest,
        kind: CodeKind,
        account: AccountId,
        (mail, email): (MailId, &Email),
        expires: Timestamp,
    ) -> Result<(), StoreError> {
        let mut transaction = self.writer_transaction().await?;
        // Changes nothing, but locks the row on PostgreSQL before the code, as a new address does.
        let query =
            sqlx::query("UPDATE account SET status = status WHERE id = $1 AND (email = $2 OR $3 = 'change_address')")
                .bind(account.0)
                .bind(email.as_str())
                .bind(kind.as_str());
        if transaction.execute(query).await? == 0 {
            return Err(StoreError::new(StoreErrorKind::Missing));
        }
        let query = sqlx::query("DELETE FROM mail_code WHERE mail = $1").bind(mail.0);
        let is_first = transaction.execute(query).await? == 0;
        let query = sqlx::query(
            "INSERT INTO mail_code (digest, kind, account, email, mail, expires) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(&digest.0[..])
        .bind(kind.as_str())
        .bind(account.0)
        .bind(email.as_str())
        .bind(mail.0)
        .bind(expires.as_microsecond());
        transaction.execute(query).await?;
        if is_first && kind == CodeKind::NewPassword {
            self.note(&mut transaction, &line("account.request_password", account, None, None)).await?;
        }
        transaction.commit().await
    }

    async fn find_code(
        &self,
        digest: &CodeDigest,
        kind: CodeKind,
        now: Timestamp,
    ) -> Result<Option<(AccountId, Email)>, StoreError> {
        let query =
            sqlx::query("SELECT account, email FROM mail_code WHERE digest = $1 AND expires > $2 AND kind = $3")
                .bind(&digest.0[..])
                .bind(now.as_microsecond())
                .bind(kind.as_str());
        let Some(found) = self.reader().await?.fetch_optional(query).await? else { return Ok(None) };
        let email = Email::parse(row::column(&found, "email")?).map_err(unreadable)?;
        Ok(Some((AccountId(row::column(&found, "account")?), email)))
    }

    async fn use_code(&self, digest: &CodeDigest, now: Timestamp, hash: &str) -> Result<bool, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let Some(account) = transaction.use_code(digest, CodeKind::NewPassword, now).await? else { return Ok(false) };
        transaction.set_password(account, hash).await?;
        self.note(&mut transaction, &line("account.reset_password", account, None, None)).await?;
        transaction.commit().await?;
        Ok(true)
    }

    async fn confirm(&self, digest: &CodeDigest, now: Timestamp, hash: &str) -> Result<bool, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let Some(account) = transaction.use_code(digest, CodeKind::ConfirmAddress, now).await? else {
            return Ok(false);
        };
        let query = sqlx::query(
            "UPDATE account SET status = 'active' WHERE id = $1 AND password_hash = $2 AND status = 'unconfirmed'",
        )
        .bind(account.0)
        .bind(hash);
        if transaction.execute(query).await? == 0 {
            // The code stays.
            return Ok(false);
        }
        transaction.end_sessions(account).await?;
        transaction.record_change(Change::Account(account)).await?;
        self.note(&mut transaction, &line("account.confirm", account, None, None)).await?;
        transaction.commit().await?;
        Ok(true)
    }

    async fn sweep_codes(&self, now: Timestamp) -> Result<(), StoreError> {
        let query = sqlx::query(
            "DELETE FROM mail_code WHERE expires <= $1
                 AND NOT EXISTS (SELECT 1 FROM mail WHERE mail.id = mail_code.mail AND due IS NOT NULL)",
        );
        let query = query.bind(now.as_microsecond());
        self.writer().await?.execute(query).await?;
        Ok(())
    }
}

impl Transaction {
    /// Deletes a code, and returns its account.
    pub(super) async fn use_code(
        &mut self,
        digest: &CodeDigest,
        kind: CodeKind,
        now: Timestamp,
    ) -> Result<Option<AccountId>, StoreError> {
        // Changes nothing, but locks the row on PostgreSQL before the code, as a new password does.
        let query = sqlx::query(
            "UPDATE account SET status = status
             WHERE id = (SELECT account FROM mail_code WHERE digest = $1 AND expires > $2 AND kind = $3)",
        )
        .bind(&digest.0[..])
        .bind(now.as_microsecond())
        .bind(kind.as_str());
        self.execute(query).await?;
        let query =
            sqlx::query("DELETE FROM mail_code WHERE digest = $1 AND expires > $2 AND kind = $3 RETURNING account")
                .bind(&digest.0[..])
                .bind(now.as_microsecond())
                .bind(kind.as_str());
        let used = self.fetch_optional(query).await?;
        used.map(|used| Ok(AccountId(row::column(&used, "account")?))).transpose()
    }
}
