//! The revision that caches of credentials watch, and the latest changes by revision.
//!
//! The revision's row is locked until its transaction ends, so changes become visible in the order of their numbers. A
//! revision without a row means that anything may have changed.

use kuraka_ports::{AccountId, Changed, Changes, StoreError, TokenId};

use super::{Store, Transaction, row};

/// Number of changes kept. Servers read them four times a second; a server that missed more drops its whole cache.
const KEPT: i64 = 4_096;
/// Older changes are deleted with every 256th change.
const PRUNE_EACH: i64 = 256;

/// The account or token that changed.
#[derive(Clone, Copy)]
pub(super) enum Change {
    /// An account has a new plan or status, or is deleted.
    Account(AccountId),
    /// A token is revoked.
    Token(TokenId),
}

impl Transaction {
    /// Records a change for the caches of credentials, in the same transaction as the change itself.
    pub(super) async fn record_change(&mut self, change: Change) -> Result<(), StoreError> {
        let (account, token) = match change {
            Change::Account(id) => (Some(id.0), None),
            Change::Token(id) => (None, Some(id.0)),
        };
        let number = self.move_revision().await?;
        let query = sqlx::query("INSERT INTO change (number, account, token) VALUES ($1, $2, $3)")
            .bind(number)
            .bind(account)
            .bind(token);
        self.execute(query).await?;
        if number % PRUNE_EACH == 0 {
            self.execute(sqlx::query("DELETE FROM change WHERE number <= $1").bind(number - KEPT)).await?;
        }
        Ok(())
    }

    /// Increments the revision and returns it. If no change is recorded for it, servers drop their whole cache.
    pub(super) async fn move_revision(&mut self) -> Result<i64, StoreError> {
        let moved = self.fetch_one(sqlx::query("UPDATE revision SET value = value + 1 RETURNING value")).await?;
        row::column(&moved, "value")
    }
}

impl Store {
    /// The changes since a revision.
    pub(super) async fn changes_since(&self, since: u64) -> Result<Changes, StoreError> {
        // One statement sees one state of both tables.
        let query =
            sqlx::query("SELECT value, account, token FROM revision LEFT JOIN change ON number > $1 ORDER BY number")
                .bind(row::count_parameter(since));
        let found = self.reader().await?.fetch_all(query).await?;
        let (mut latest, mut accounts, mut tokens) = (0, Vec::new(), Vec::new());
        for found in &found {
            latest = row::count(row::column(found, "value")?)?;
            accounts.extend(row::column::<Option<i64>>(found, "account")?.map(AccountId));
            tokens.extend(row::column::<Option<i64>>(found, "token")?.map(TokenId));
        }
        let named = (accounts.len() + tokens.len()) as u64;
        let what = match latest.checked_sub(since) {
            Some(moved) if moved == named => Changed::Named { accounts, tokens },
            Some(_) | None => Changed::Everything,
        };
        Ok(Changes { latest, what })
    }
}
