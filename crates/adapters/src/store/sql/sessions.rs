//! The statements on sessions. A power cut may lose the latest sessions, but ending one waits for the disk, so that it
//! does not come back.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{AccountId, NewAuditLine, SecretDigest, Session, Sessions, StoreError, StoreErrorKind, StoreResult};

use super::{Store, row};

#[async_trait]
impl Sessions for Store {
    async fn begin(
        &self,
        digest: &SecretDigest,
        account: AccountId,
        hash: &str,
        now: Timestamp,
        replaced: Option<&SecretDigest>,
    ) -> StoreResult<()> {
        let mut transaction = match replaced {
            Some(_) => self.writer_transaction().await?,
            None => self.pages_transaction().await?,
        };
        // A new password or suspension that commits first is seen here, a later one deletes the new session.
        if !transaction.lock_active_account(account, hash).await? {
            return Err(StoreError::new(StoreErrorKind::Missing));
        }
        let statement = "INSERT INTO session (digest, account, begun, seen) VALUES ($1, $2, $3, $3)";
        transaction.execute(statement, &[&digest.0, &account.0, &now]).await?;
        if let Some(replaced) = replaced {
            transaction.execute("DELETE FROM session WHERE digest = $1", &[&replaced.0]).await?;
        }
        self.note(&mut transaction, &NewAuditLine::for_object("session.create", account, "session")).await?;
        transaction.commit().await
    }

    async fn find(&self, digest: &SecretDigest) -> StoreResult<Option<Session>> {
        let statement = "SELECT account, begun, seen FROM session WHERE digest = $1";
        self.reader().await?.find(statement, &[&digest.0], row::session).await
    }

    async fn note_seen(&self, digest: &SecretDigest, now: Timestamp) -> StoreResult<()> {
        let statement = "UPDATE session SET seen = $1 WHERE digest = $2";
        self.pages().await?.execute(statement, &[&now, &digest.0]).await.map(drop)
    }

    async fn end(&self, digest: &SecretDigest) -> StoreResult<()> {
        let mut transaction = self.writer_transaction().await?;
        let statement = "DELETE FROM session WHERE digest = $1 RETURNING account";
        if let Some(account) = transaction.find(statement, &[&digest.0], row::account_id).await? {
            self.note(&mut transaction, &NewAuditLine::for_object("session.end", account, "session")).await?;
        }
        transaction.commit().await
    }
}
