//! Accounts, tokens, sessions and usage in memory, behind one lock.

mod accounts;
mod daily_usage;
mod ledger;
mod membership;
mod sessions;
mod tokens;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use super::lock;
use crate::{
    Account, AccountId, Changed, Changes, DayCount, Period, ServerId, Session, SessionDigest, StoreError,
    StoreErrorKind, Token, TokenDigest, TokenId,
};

/// A store in memory, which is empty when created.
#[derive(Debug, Default)]
pub struct MemoryStore {
    rows: Mutex<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    accounts: Vec<Account>,
    /// The number of the latest account; a number is never given twice.
    latest_account: i64,
    latest_token: i64,
    passwords: HashMap<AccountId, String>,
    sessions: HashMap<SessionDigest, Session>,
    history: Vec<(AccountId, DayCount)>,
    servers: HashMap<ServerId, tokio::time::Instant>,
    tokens: Vec<(TokenDigest, AccountId, Token)>,
    used: HashMap<(AccountId, Period), u64>,
    /// The change of each revision from 1 on; `None` = an older version made it and recorded nothing.
    changes: Vec<Option<Change>>,
    failure: Option<StoreErrorKind>,
    asked: u64,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Account(AccountId),
    Token(TokenId),
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on every call fails with `kind`; with `None` the store works again, its rows as they were.
    pub fn fail(&self, kind: impl Into<Option<StoreErrorKind>>) {
        lock(&self.rows).failure = kind.into();
    }

    /// How many calls have reached the store, failed ones included.
    #[must_use]
    pub fn asked(&self) -> u64 {
        lock(&self.rows).asked
    }

    /// Increments the revision without recording the change, as a server of an older version does.
    pub fn change_without_a_name(&self) {
        lock(&self.rows).changes.push(None);
    }

    /// Counts a call and returns the rows, or the failure that the test set.
    fn call(&self) -> Result<MutexGuard<'_, Rows>, StoreError> {
        let mut rows = lock(&self.rows);
        rows.asked += 1;
        rows.failure.map_or(Ok(rows), |kind| Err(StoreError::new(kind)))
    }
}

impl Rows {
    fn account(&self, id: AccountId) -> Result<&Account, StoreError> {
        self.accounts.iter().find(|account| account.id == id).ok_or(StoreError::new(StoreErrorKind::Missing))
    }

    /// Changes an existing account and records the change.
    fn change(&mut self, id: AccountId, change: impl FnOnce(&mut Account)) -> Result<(), StoreError> {
        let account = self.accounts.iter_mut().find(|account| account.id == id);
        change(account.ok_or(StoreError::new(StoreErrorKind::Missing))?);
        self.changes.push(Some(Change::Account(id)));
        Ok(())
    }

    fn end_sessions(&mut self, id: AccountId) {
        self.sessions.retain(|_, session| session.account != id);
    }

    fn changes(&self, since: u64) -> Changes {
        let latest = self.changes.len() as u64;
        let later = usize::try_from(since).ok().and_then(|since| self.changes.get(since..));
        let (mut accounts, mut tokens) = (Vec::new(), Vec::new());
        for change in later.unwrap_or(&[None]) {
            match change {
                Some(Change::Account(id)) => accounts.push(*id),
                Some(Change::Token(id)) => tokens.push(*id),
                None => return Changes { latest, what: Changed::Everything },
            }
        }
        Changes { latest, what: Changed::Named { accounts, tokens } }
    }
}
