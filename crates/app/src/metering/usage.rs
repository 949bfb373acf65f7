//! What an account has used: the queries of its month, and its calls by day.
//!
//! Calls are counted in memory and written in batches. A killed process forgets the calls of its latest second, and never
//! a charge, which the ledger keeps. A call in the last second of a day may count for the next day.

use std::sync::Arc;

use kuraka_domain::Date;
use kuraka_ports::{AccountId, Clock, DailyUsage, DayCount, Period, StoreError, UsageLedger};

use super::AccountMeters;
use super::plan::Plan;
use crate::calendar;

/// Days of calls that are kept.
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

/// Tells and writes what accounts use.
pub struct Usage {
    ledger: Arc<dyn UsageLedger>,
    daily: Arc<dyn DailyUsage>,
    meters: Arc<AccountMeters>,
    clock: Arc<dyn Clock>,
}

impl Usage {
    /// The usage that these meters count.
    #[must_use]
    pub fn new(
        ledger: Arc<dyn UsageLedger>,
        daily: Arc<dyn DailyUsage>,
        meters: Arc<AccountMeters>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { ledger, daily, meters, clock }
    }

    /// Where an account of this plan stands now.
    ///
    /// # Errors
    /// Those of the ledger.
    pub async fn of_month(&self, account: AccountId, plan: &Plan) -> Result<Used, StoreError> {
        let period = calendar::period(self.clock.now());
        // Read first: a block that is leased or settled in between must not be taken off a count that lacks it.
        let before = self.meters.unspent(account, period);
        let counted = self.ledger.used(account, period).await?;
        let unspent = before.min(self.meters.unspent(account, period));
        Ok(Used { period, limit: plan.queries, used: counted.saturating_sub(unspent).min(plan.queries) })
    }

    /// An account's calls from a day on, by day, operation and code.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn since(&self, account: AccountId, day: Date) -> Result<Vec<DayCount>, StoreError> {
        self.daily.since(account, day).await
    }

    /// Writes how calls ended since the last time, as calls of today. To be called every second, and before the process
    /// ends.
    ///
    /// # Errors
    /// Those of the store; what was counted is written the next time.
    pub async fn write(&self) -> Result<(), StoreError> {
        let taken = self.meters.take_calls();
        let counts = self.meters.counts(&taken, calendar::today(self.clock.now()));
        if counts.is_empty() {
            return Ok(());
        }
        let written = self.daily.add(&counts).await;
        if written.is_err() {
            taken.give_back();
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
            Some(day) => self.daily.forget_before(day).await,
            None => Ok(()),
        }
    }
}
