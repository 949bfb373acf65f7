//! What an account has used: the queries of its month, and the history of its calls.
//!
//! Calls are noted in memory on the way of an answer and written in batches beside it; a killed process forgets the
//! latest second of the history, and never a charge, which is the ledger's.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kuraka_domain::{Date, ResultCode};
use kuraka_ports::{AccountId, Clock, DayCount, Operation, Period, StoreError, UsageHistory, UsageLedger};

use crate::{Authenticate, Plan, calendar};

/// Days of history that are kept.
pub const KEPT_DAYS: i32 = 400;

/// Where an account stands in its month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    /// The month.
    pub period: Period,
    /// The plan's queries.
    pub limit: u64,
    /// Queries used, as far as this process knows: what another one has leased counts as used.
    pub used: u64,
}

/// Tells and notes what accounts use.
pub struct Usage {
    ledger: Arc<dyn UsageLedger>,
    history: Arc<dyn UsageHistory>,
    authenticate: Arc<Authenticate>,
    clock: Arc<dyn Clock>,
    /// Calls that the store does not know of.
    unwritten: Mutex<HashMap<(AccountId, Date, Operation, ResultCode), u64>>,
}

impl Usage {
    /// Nothing is noted yet.
    #[must_use]
    pub fn new(
        ledger: Arc<dyn UsageLedger>,
        history: Arc<dyn UsageHistory>,
        authenticate: Arc<Authenticate>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { ledger, history, authenticate, clock, unwritten: Mutex::default() }
    }

    /// Where an account of this plan stands now.
    ///
    /// # Errors
    /// Those of the ledger.
    pub async fn of_month(&self, account: AccountId, plan: &Plan) -> Result<Used, StoreError> {
        let period = calendar::period(self.clock.now());
        // Read first: a block that is leased or settled in between must not be taken off a count that lacks it.
        let before = self.authenticate.unspent(account, period);
        let counted = self.ledger.used(account, period).await?;
        let unspent = before.min(self.authenticate.unspent(account, period));
        Ok(Used { period, limit: plan.queries, used: counted.saturating_sub(unspent).min(plan.queries) })
    }

    /// Notes how a call ended.
    pub fn note(&self, account: AccountId, operation: Operation, code: ResultCode) {
        let day = calendar::today(self.clock.now());
        let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
        *unwritten.entry((account, day, operation, code)).or_default() += 1;
    }

    /// An account's calls from a day on, by day, operation and code.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn since(&self, account: AccountId, day: Date) -> Result<Vec<DayCount>, StoreError> {
        self.history.since(account, day).await
    }

    /// Writes what was noted. To be called every second, and before the process ends.
    ///
    /// # Errors
    /// Those of the store; what was noted is written the next time.
    pub async fn write(&self) -> Result<(), StoreError> {
        let noted = std::mem::take(&mut *self.unwritten.lock().unwrap_or_else(PoisonError::into_inner));
        if noted.is_empty() {
            return Ok(());
        }
        let count = |(&(account, day, operation, code), &count): (&(AccountId, Date, Operation, ResultCode), &u64)| {
            (account, DayCount { day, operation, code, count })
        };
        let counts: Vec<_> = noted.iter().map(count).collect();
        let written = self.history.add(&counts).await;
        if written.is_err() {
            let mut unwritten = self.unwritten.lock().unwrap_or_else(PoisonError::into_inner);
            for (key, count) in noted {
                *unwritten.entry(key).or_default() += count;
            }
        }
        written
    }

    /// Forgets days that are no longer kept. To be called now and then.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn forget(&self) -> Result<(), StoreError> {
        let today = calendar::today(self.clock.now()).days_since_epoch();
        match Date::from_days_since_epoch(today - KEPT_DAYS) {
            Some(day) => self.history.forget_before(day).await,
            None => Ok(()),
        }
    }
}
