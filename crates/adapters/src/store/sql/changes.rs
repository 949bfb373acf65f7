//! The record of changed accounts and tokens, which servers read to drop what they have cached.

use kuraka_ports::{AccountId, Changed, Changes, Revision, StoreError, StoreErrorKind, StoreResult, TokenId};

use super::transaction::query;
use super::{DbRow, Store, Transaction, row};

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
    pub(super) async fn record_change(&mut self, change: Change) -> StoreResult<()> {
        let (account, token) = match change {
            Change::Account(id) => (Some(id.0), None),
            Change::Token(id) => (None, Some(id.0)),
        };
        let (number, previous) = self.move_revision().await?;
        let statement = "INSERT INTO change (number, previous, account, token) VALUES ($1, $2, $3, $4)";
        self.execute(statement, &[&number, &previous, &account, &token]).await?;
        if number % PRUNE_EACH == 0 {
            self.execute("DELETE FROM change WHERE number <= $1", &[&(number - CHANGES_RETAINED)]).await?;
        }
        Ok(())
    }

    /// Begins the next revision; returns its number and the previous epoch. Without a recorded change, servers drop
    /// their whole cache.
    pub(super) async fn move_revision(&mut self) -> StoreResult<(i64, i64)> {
        let epoch = getrandom::u64().map_err(|error| StoreError::new(StoreErrorKind::Unavailable).with_cause(error))?;
        let statement = "UPDATE revision SET value = value + 1, previous = epoch, epoch = $1 RETURNING value, previous";
        let moved = |row: &DbRow| Ok((row::column(row, "value")?, row::column(row, "previous")?));
        self.one(statement, &[&epoch.cast_signed()], moved).await
    }
}

impl Store {
    pub(super) async fn changes_since(&self, since: Revision) -> StoreResult<Changes> {
        // One statement sees one state of both tables.
        let statement = "SELECT value, epoch, coalesce(change.previous, epoch) AS continues, account, token
             FROM revision LEFT JOIN change ON number > $1 ORDER BY number";
        let (mut latest, mut continues) = (Revision::default(), None);
        let (mut accounts, mut tokens) = (Vec::new(), Vec::new());
        for found in self.watcher().await?.rows(query(statement, &[&since.number])).await? {
            latest = Revision { number: row::count(&found, "value")?, epoch: row::column(&found, "epoch")? };
            continues = continues.or(Some(row::column::<i64>(&found, "continues")?));
            accounts.extend(row::column::<Option<i64>>(&found, "account")?.map(AccountId));
            tokens.extend(row::column::<Option<i64>>(&found, "token")?.map(TokenId));
        }
        let named = (accounts.len() + tokens.len()) as u64;
        let what = match latest.number.checked_sub(since.number) {
            Some(moved) if moved == named && continues == Some(since.epoch) => Changed::Named { accounts, tokens },
            Some(_) | None => Changed::Everything,
        };
        Ok(Changes { latest, what })
    }
}
