//! Deletes what is old, in parts and on the connection of the leases, so that a waiting lease does not give up.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{OldRows, Retention, StoreResult, today};

use super::{SKIP_LOCKED, Store, row};
use crate::store::parameter::Parameter;

const DELETED_AT_ONCE: u64 = 1_000;

#[async_trait]
impl Retention for Store {
    async fn delete_old(&self, rows: OldRows, before: Timestamp) -> StoreResult<()> {
        let mut bound = before.value();
        let (table, key, condition) = match rows {
            OldRows::Sessions => ("session", "digest", "begun < $1"),
            OldRows::UnseenSessions => ("session", "digest", "seen < $1"),
            OldRows::EndedTokens => ("token", "id", "(revoked < $1 OR expires < $1)"),
            OldRows::ExpiredCodes => {
                let no_attempt = "expires < $1
                    AND NOT EXISTS (SELECT 1 FROM mail WHERE mail.id = mail_code.mail AND due IS NOT NULL)";
                ("mail_code", "digest", no_attempt)
            }
            OldRows::Mails => ("mail", "id", "created < $1"),
            OldRows::UnconfirmedAccounts => return self.delete_unconfirmed(before).await,
            OldRows::Deliveries => ("delivery", "id", "pending = 0 AND created < $1"),
            OldRows::DailyUsage => {
                bound = today(before).to_string().value();
                ("history", "account, day, operation, code", "day < $1")
            }
            OldRows::Lists => ("kept_list", "id", "name = '' AND ran < $1"),
            OldRows::NamedLists => ("kept_list", "id", "name <> '' AND ran < $1"),
            OldRows::Certificates => ("certificate", "code", "created < $1"),
        };
        // A run that goes on keeps its list.
        let also = match table {
            "kept_list" => "AND (status <> 'running' OR account IN (SELECT id FROM account WHERE status <> 'active'))",
            _ => "",
        };
        let statement = format!(
            "DELETE FROM {table} WHERE ({key}) IN (
                 SELECT {key} FROM {table} WHERE {condition} {also} LIMIT {DELETED_AT_ONCE} {SKIP_LOCKED})"
        );
        while self.ledger().await?.execute(&statement, &[&bound]).await? == DELETED_AT_ONCE {}
        if rows == OldRows::DailyUsage {
            self.empty_log().await;
        }
        Ok(())
    }
}

impl Store {
    async fn delete_unconfirmed(&self, before: Timestamp) -> StoreResult<()> {
        // Changes nothing, but locks the row on PostgreSQL, so that a confirmation waits for the deletion.
        let statement = format!(
            "UPDATE account SET status = status WHERE status = 'unconfirmed' AND id = (
                 SELECT id FROM account WHERE status = 'unconfirmed' AND created < $1 LIMIT 1 {SKIP_LOCKED})
             RETURNING id AS account"
        );
        loop {
            let mut transaction = self.writer_transaction().await?;
            let found = transaction.find(&statement, &[&before], row::account_id).await?;
            let Some(account) = found else { return Ok(()) };
            self.delete_in(&mut transaction, account).await?;
            transaction.commit().await?;
        }
    }
}
