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
    Account, AccountId, DayCount, Period, ServerId, Session, SessionDigest, StoreError, StoreErrorKind, Token,
    TokenDigest,
};

/// A store that forgets everything when it is dropped.
#[derive(Debug, Default)]
pub struct MemoryStore {
    rows: Mutex<Rows>,
}

#[derive(Debug, Default)]
struct Rows {
    accounts: Vec<Account>,
    /// The number of the latest account: none is given twice.
    latest_account: i64,
    latest_token: i64,
    passwords: HashMap<AccountId, String>,
    sessions: HashMap<SessionDigest, Session>,
    history: Vec<(AccountId, DayCount)>,
    servers: HashMap<ServerId, tokio::time::Instant>,
    tokens: Vec<(TokenDigest, AccountId, Token)>,
    used: HashMap<(AccountId, Period), u64>,
    revision: u64,
    failure: Option<StoreErrorKind>,
    asked: u64,
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

    /// The rows, for one call of a port; the failure, if one was asked for.
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

    /// Changes an account that exists, which moves the revision.
    fn change(&mut self, id: AccountId, change: impl FnOnce(&mut Account)) -> Result<(), StoreError> {
        let account = self.accounts.iter_mut().find(|account| account.id == id);
        change(account.ok_or(StoreError::new(StoreErrorKind::Missing))?);
        self.revision += 1;
        Ok(())
    }
}
