//! The statements on sessions. A power cut may lose the latest sessions, but ending one waits for the disk, so that it
//! does not come back.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{AccountId, NewAuditLine, Session, SessionDigest, Sessions, StoreError, StoreErrorKind};
use sqlx::AssertSqlSafe;

use super::{SKIP_LOCKED, Store, row};

/// Rows deleted by one statement, so that a waiting lease does not give up.
const DELETED_AT_ONCE: u32 = 1_000;

fn line(action: &'static str, account: AccountId) -> NewAuditLine {
    NewAuditLine { action, account: Some(account), object: "session".to_owned(), ..NewAuditLine::default() }
}

#[async_trait]
impl Sessions for Store {
    async fn begin(
        &self,
        digest: &SessionDigest,
        account: AccountId,
        hash: &str,
        now: Timestamp,
        replaced: Option<&SessionDigest>,
    ) -> Result<(), StoreError> {
        let mut transaction = match replaced {
            Some(_) => self.writer_transaction().await?,
            None => self.pages_transaction().await?,
        };
        // Changes nothing, but locks the row on PostgreSQL: a new password or suspension that commits first is seen
        // here, a later one deletes the new session.
        let query = sqlx::query(
            "UPDATE account SET status = status WHERE id = $1 AND password_hash = $2 AND status = 'active'",
        )
        .bind(account.0)
        .bind(hash);
        if transaction.execute(query).await? == 0 {
            return Err(StoreError::new(StoreErrorKind::Missing));
        }
        let query = sqlx::query("INSERT INTO session (digest, account, begun, seen) VALUES ($1, $2, $3, $3)")
            .bind(&digest.0[..])
            .bind(account.0)
            .bind(now.as_microsecond());
        transaction.execute(query).await?;
        if let Some(replaced) = replaced {
            transaction.execute(sqlx::query("DELETE FROM session WHERE digest = $1").bind(&replaced.0[..])).await?;
        }
        self.note(&mut transaction, &line("session.create", account)).await?;
        transaction.commit().await
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
        self.pages().await?.execute(query).await?;
        Ok(())
    }

    async fn end(&self, digest: &SessionDigest) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM session WHERE digest = $1 RETURNING account").bind(&digest.0[..]);
        let mut transaction = self.writer_transaction().await?;
        if let Some(ended) = transaction.fetch_optional(query).await? {
            self.note(&mut transaction, &line("session.end", AccountId(row::column(&ended, "account")?))).await?;
        }
        transaction.commit().await
    }

    async fn sweep(&self, begun_before: Timestamp, seen_before: Timestamp) -> Result<(), StoreError> {
        let statement = format!(
            "DELETE FROM session WHERE digest IN (
                 SELECT digest FROM session WHERE begun < $1 OR seen < $2 LIMIT $3 {SKIP_LOCKED})"
        );
        loop {
            let query = sqlx::query(AssertSqlSafe(statement.clone()))
                .bind(begun_before.as_microsecond())
                .bind(seen_before.as_microsecond())
                .bind(i64::from(DELETED_AT_ONCE));
            if self.ledger().await?.execute(query).await? < u64::from(DELETED_AT_ONCE) {
                return Ok(());
            }
        }
    }
}
