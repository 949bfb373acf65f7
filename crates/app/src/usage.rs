//! What an account has used: the queries of its month, and the history of its calls.
//!
//! Calls are counted in memory on the way of an answer and written in batches beside it; a killed process forgets the
//! latest second of the history, and never a charge, which is the ledger's. A call in the last second of a day may count
//! for the next.

use std::sync::Arc;

use kuraka_domain::Date;
use kuraka_ports::{AccountId, Clock, DailyUsage, DayCount, Period, StoreError, UsageLedger};

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

/// Tells and keeps what accounts use.
pub struct Usage {
    ledger: Arc<dyn UsageLedger>,
    history: Arc<dyn DailyUsage>,
    authenticate: Arc<Authenticate>,
    clock: Arc<dyn Clock>,
}

impl Usage {
    /// Of the accounts that are recognised here.
    #[must_use]
    pub fn new(
        ledger: Arc<dyn UsageLedger>,
        history: Arc<dyn DailyUsage>,
        authenticate: Arc<Authenticate>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { ledger, history, authenticate, clock }
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

    /// An account's calls from a day on, by day, operation and code.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn since(&self, account: AccountId, day: Date) -> Result<Vec<DayCount>, StoreError> {
        self.history.since(account, day).await
    }

    /// Writes how calls ended since the last time, as calls of today. To be called every second, and before the process
    /// ends.
    ///
    /// # Errors
    /// Those of the store; what was counted is written the next time.
    pub async fn write(&self) -> Result<(), StoreError> {
        let counts = self.authenticate.take_calls(calendar::today(self.clock.now()));
        if counts.is_empty() {
            return Ok(());
        }
        let written = self.history.add(&counts).await;
        if written.is_err() {
            self.authenticate.give_back_calls(&counts);
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
