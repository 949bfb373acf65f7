//! Sessions. A crash may forget the latest ones: whoever is signed out by it signs in again.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{AccountId, Session, SessionDigest, Sessions, StoreError};

use super::error::store_error;
use super::{SqliteStore, row};

#[async_trait]
impl Sessions for SqliteStore {
    async fn begin(&self, digest: &SessionDigest, account: AccountId, now: Timestamp) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO session (digest, account, begun, seen) VALUES ($1, $2, $3, $3)")
            .bind(&digest.0[..])
            .bind(account.0)
            .bind(now.as_microsecond())
            .execute(&self.ledger)
            .await
            .map_err(store_error)?;
        Ok(())
    }

    async fn find(&self, digest: &SessionDigest) -> Result<Option<Session>, StoreError> {
        let found = sqlx::query("SELECT account, begun, seen FROM session WHERE digest = $1")
            .bind(&digest.0[..])
            .fetch_optional(&self.readers)
            .await
            .map_err(store_error)?;
        found.as_ref().map(row::session).transpose()
    }

    async fn note_seen(&self, digest: &SessionDigest, now: Timestamp) -> Result<(), StoreError> {
        sqlx::query("UPDATE session SET seen = $1 WHERE digest = $2")
            .bind(now.as_microsecond())
            .bind(&digest.0[..])
            .execute(&self.ledger)
            .await
            .map_err(store_error)?;
        Ok(())
    }

    /// Waits for the disk: whoever has signed out stays signed out.
    async fn end(&self, digest: &SessionDigest) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM session WHERE digest = $1")
            .bind(&digest.0[..])
            .execute(&self.writer)
            .await
            .map_err(store_error)?;
        Ok(())
    }

    /// Waits for the disk, like [`SqliteStore::end`].
    async fn end_all(&self, account: AccountId) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM session WHERE account = $1")
            .bind(account.0)
            .execute(&self.writer)
            .await
            .map_err(store_error)?;
        Ok(())
    }

    async fn sweep(&self, begun_before: Timestamp, seen_before: Timestamp) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM session WHERE begun < $1 OR seen < $2")
            .bind(begun_before.as_microsecond())
            .bind(seen_before.as_microsecond())
            .execute(&self.ledger)
            .await
            .map_err(store_error)?;
        Ok(())
    }
}
