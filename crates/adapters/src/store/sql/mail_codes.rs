//! The statements on mailed codes.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{
    AccountId, CodeKind, Email, MailCodes, MailId, SecretDigest, StoreError, StoreErrorKind, StoreResult,
};

use super::accounts::line;
use super::changes::Change;
use super::{DbRow, Store, Transaction, row};

#[async_trait]
impl MailCodes for Store {
    async fn add_code(
        &self,
        digest: &SecretDigest,
        kind: CodeKind,
        account: AccountId,
        (mail, email): (MailId, &Email),
        expires: Timestamp,
    ) -> StoreResult<()> {
        let (name, email) = (kind.as_str(), email.as_str());
        let mut transaction = self.writer_transaction().await?;
        // Changes nothing, but locks the row on PostgreSQL before the code, as a new address does.
        let statement = "UPDATE account SET status = status WHERE id = $1 AND (email = $2 OR $3 = 'change_address')";
        if transaction.execute(statement, &[&account.0, &email, &name]).await? == 0 {
            return Err(StoreError::new(StoreErrorKind::Missing));
        }
        let is_first = transaction.execute("DELETE FROM mail_code WHERE mail = $1", &[&mail.0]).await? == 0;
        let statement =
            "INSERT INTO mail_code (digest, kind, account, email, mail, expires) VALUES ($1, $2, $3, $4, $5, $6)";
        transaction.execute(statement, &[&digest.0, &name, &account.0, &email, &mail.0, &expires]).await?;
        if is_first && kind == CodeKind::NewPassword {
            self.note(&mut transaction, &line("account.request_password", account, None, None)).await?;
        }
        transaction.commit().await
    }

    async fn find_code(
        &self,
        digest: &SecretDigest,
        kind: CodeKind,
        now: Timestamp,
    ) -> StoreResult<Option<(AccountId, Email)>> {
        let statement = "SELECT account, email FROM mail_code WHERE digest = $1 AND expires > $2 AND kind = $3";
        let read = |found: &DbRow| Ok((row::account_id(found)?, row::email(found)?));
        self.reader().await?.find(statement, &[&digest.0, &now, &kind.as_str()], read).await
    }

    async fn use_code(&self, digest: &SecretDigest, now: Timestamp, hash: &str) -> StoreResult<bool> {
        let mut transaction = self.writer_transaction().await?;
        let Some(account) = transaction.use_code(digest, CodeKind::NewPassword, now).await? else { return Ok(false) };
        transaction.set_password(account, hash).await?;
        self.note(&mut transaction, &line("account.reset_password", account, None, None)).await?;
        transaction.commit().await?;
        Ok(true)
    }

    async fn confirm(&self, digest: &SecretDigest, now: Timestamp, hash: &str) -> StoreResult<bool> {
        let mut transaction = self.writer_transaction().await?;
        let Some(account) = transaction.use_code(digest, CodeKind::ConfirmAddress, now).await? else {
            return Ok(false);
        };
        let statement =
            "UPDATE account SET status = 'active' WHERE id = $1 AND password_hash = $2 AND status = 'unconfirmed'";
        if transaction.execute(statement, &[&account.0, &hash]).await? == 0 {
            // The code stays.
            return Ok(false);
        }
        transaction.end_sessions(account).await?;
        transaction.record_change(Change::Account(account)).await?;
        self.note(&mut transaction, &line("account.confirm", account, None, None)).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

impl Transaction {
    /// Deletes a code, and returns its account.
    pub(super) async fn use_code(
        &mut self,
        digest: &SecretDigest,
        kind: CodeKind,
        now: Timestamp,
    ) -> StoreResult<Option<AccountId>> {
        // Changes nothing, but locks the row on PostgreSQL before the code, as a new password does.
        let statement = "UPDATE account SET status = status
             WHERE id = (SELECT account FROM mail_code WHERE digest = $1 AND expires > $2 AND kind = $3)";
        self.execute(statement, &[&digest.0, &now, &kind.as_str()]).await?;
        let statement = "DELETE FROM mail_code WHERE digest = $1 AND expires > $2 AND kind = $3 RETURNING account";
        self.find(statement, &[&digest.0, &now, &kind.as_str()], row::account_id).await
    }
}
