//! The revision that caches of credentials watch, and what each of its latest values was about.
//!
//! The revision's row is locked until its transaction is over, so changes become visible in the order of their numbers.
//! A version from before the table of changes moves the revision and writes no row: the gap says that anything may have
//! changed.

use kuraka_ports::{AccountId, Changed, Changes, StoreError, TokenId};

use super::{Store, Transaction, row};

/// Changes that are kept. A server asks four times a second; one that was away for longer drops all it has cached.
const KEPT: i64 = 4_096;
/// Older changes are deleted with every so many-th one.
const PRUNE_EACH: i64 = 256;

/// What a change is about.
#[derive(Clone, Copy)]
pub(super) enum Change {
    /// An account has a new plan or status, or is deleted.
    Account(AccountId),
    /// A token is revoked.
    Token(TokenId),
}

impl Transaction {
    /// Tells every cache of credentials, in the same transaction as the change that makes them wrong.
    pub(super) async fn name(&mut self, change: Change) -> Result<(), StoreError> {
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

    /// Moves the revision and gives its value. Without a row for it, caches drop all they have.
    pub(super) async fn move_revision(&mut self) -> Result<i64, StoreError> {
        let moved = self.fetch_one(sqlx::query("UPDATE revision SET value = value + 1 RETURNING value")).await?;
        row::column(&moved, "value")
    }
}

impl Store {
    /// What changed since a revision.
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
