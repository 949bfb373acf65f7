//! The statements on sessions. A power cut may lose the latest sessions; their owners sign in again.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{AccountId, Session, SessionDigest, Sessions, StoreError};

use super::{Store, row};

#[async_trait]
impl Sessions for Store {
    async fn begin(&self, digest: &SessionDigest, account: AccountId, now: Timestamp) -> Result<(), StoreError> {
        let query = sqlx::query("INSERT INTO session (digest, account, begun, seen) VALUES ($1, $2, $3, $3)")
            .bind(&digest.0[..])
            .bind(account.0)
            .bind(now.as_microsecond());
        self.ledger().await?.execute(query).await?;
        Ok(())
    }

    async fn find(&self, digest: &SessionDigest) -> Result<Option<Session>, StoreError> {
        let query = sqlx::query("SELECT account, begun, seen FROM session WHERE digest = $1").bind(&digest.0[..]);
        let found = self.reader().await?.fetch_optional(query).await?;
        found.as_ref().map(row::session).transpose()
    }

    async fn note_seen(&self, digest: &SessionDigest, now: Timestamp) -> Result<(), StoreError> {
        let query = sqlx::query("UPDATE session SET seen = $1 WHERE digest = $2")
            .bind(now.as_microsecond())
            .bind(&digest.0[..]);
        self.ledger().await?.execute(query).await?;
        Ok(())
    }

    /// Waits for the disk, so that an ended session does not come back after a power cut.
    async fn end(&self, digest: &SessionDigest) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM session WHERE digest = $1").bind(&digest.0[..]);
        self.writer().await?.execute(query).await?;
        Ok(())
    }

    /// Waits for the disk, like [`Store::end`].
    async fn end_all(&self, account: AccountId) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM session WHERE account = $1").bind(account.0);
        self.writer().await?.execute(query).await?;
        Ok(())
    }

    async fn sweep(&self, begun_before: Timestamp, seen_before: Timestamp) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM session WHERE begun < $1 OR seen < $2")
            .bind(begun_before.as_microsecond())
            .bind(seen_before.as_microsecond());
        self.ledger().await?.execute(query).await?;
        Ok(())
    }
}
