//! The revision that credential caches watch, and the latest changes.
//!
//! The revision's row is locked until its transaction ends, so changes become visible in order. A revision without a
//! row means that anything may have changed. A change also has the previous revision's epoch: a server notices if a
//! failover undid changes that it knew and reused their numbers.

use kuraka_ports::{AccountId, Changed, Changes, Revision, StoreError, StoreErrorKind, TokenId};

use super::{Store, Transaction, row};

/// Servers read changes four times a second; one that missed more drops its whole cache.
const CHANGES_RETAINED: i64 = 4_096;
/// Old changes are deleted with every 256th change.
const PRUNE_EACH: i64 = 256;

#[derive(Clone, Copy)]
pub(super) enum Change {
    /// An account has a new plan or status, or is deleted.
    Account(AccountId),
    Token(TokenId),
}

impl Transaction {
    /// Records a change in the transaction that makes it.
    pub(super) async fn record_change(&mut self, change: Change) -> Result<(), StoreError> {
        let (account, token) = match change {
            Change::Account(id) => (Some(id.0), None),
            Change::Token(id) => (None, Some(id.0)),
        };
        let (number, previous) = self.move_revision().await?;
        let query = sqlx::query("INSERT INTO change (number, previous, account, token) VALUES ($1, $2, $3, $4)")
            .bind(number)
            .bind(previous)
            .bind(account)
            .bind(token);
        self.execute(query).await?;
        if number % PRUNE_EACH == 0 {
            self.execute(sqlx::query("DELETE FROM change WHERE number <= $1").bind(number - CHANGES_RETAINED)).await?;
        }
        Ok(())
    }

    /// Begins the next revision; returns its number and the previous epoch. Without a recorded change, servers drop
    /// their whole cache.
    pub(super) async fn move_revision(&mut self) -> Result<(i64, i64), StoreError> {
        let epoch = getrandom::u64().map_err(|error| StoreError::new(StoreErrorKind::Unavailable).with_cause(error))?;
        let query = sqlx::query(
            "UPDATE revision SET value = value + 1, previous = epoch, epoch = $1 RETURNING value, previous",
        );
        let moved = self.fetch_one(query.bind(epoch.cast_signed())).await?;
        Ok((row::column(&moved, "value")?, row::column(&moved, "previous")?))
    }
}

impl Store {
    pub(super) async fn changes_since(&self, since: Revision) -> Result<Changes, StoreError> {
        // One statement sees one state of both tables.
        let query = sqlx::query(
            "SELECT value, epoch, coalesce(change.previous, epoch) AS continues, account, token
             FROM revision LEFT JOIN change ON number > $1 ORDER BY number",
        )
        .bind(row::count_parameter(since.number));
        let found = self.watcher().await?.fetch_all(query).await?;
        let continues = found.first().map(|first| row::column::<i64>(first, "continues")).transpose()?;
        let (mut latest, mut accounts, mut tokens) = (Revision::default(), Vec::new(), Vec::new());
        for found in &found {
            latest =
                Revision { number: row::count(row::column(found, "value")?)?, epoch: row::column(found, "epoch")? };
            accounts.extend(row::column::<Option<i64>>(found, "account")?.map(AccountId));
            tokens.extend(row::column::<Option<i64>>(found, "token")?.map(TokenId));
        }
        let named = (accounts.len() + tokens.len()) as u64;
        let what = match latest.number.checked_sub(since.number) {
            Some(moved) if moved == named && continues == Some(since.epoch) => Changed::Named { accounts, tokens },
            Some(_) | None => Changed::Everything,
        };
        Ok(Changes { latest, what })
    }
}
