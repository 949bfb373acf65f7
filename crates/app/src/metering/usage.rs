//! An account's usage: the month's queries, and calls by day. Calls are counted in memory and written in batches: a
//! killed process loses the counts of its latest second, but no charges. A call in a day's last second may count for
//! the next day.

use std::sync::Arc;

use jiff::SignedDuration;
use kuraka_ports::{AccountId, Clock, DailyUsage, DayCount, Period, StoreError, TokenKind, UsageLedger};

use super::AccountMeters;
use super::plan::Plan;
use crate::calendar;

pub(crate) const KEPT_FOR: SignedDuration = SignedDuration::from_hours(24 * 400);

/// In one transaction, which must end before a waiting lease gives up.
const WRITTEN_AT_ONCE: usize = 1_000;

/// An account's usage in a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    pub period: Period,
    pub limit: u64,
    /// Queries used or leased by other servers.
    pub used: u64,
}

impl Used {
    pub const fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }
}

/// Reads and writes the usage of accounts.
pub struct Usage {
    ledger: Arc<dyn UsageLedger>,
    pub daily: Arc<dyn DailyUsage>,
    meters: Arc<AccountMeters>,
    clock: Arc<dyn Clock>,
}

impl Usage {
    /// Usage of the accounts in `meters`.
    pub fn new(
        ledger: Arc<dyn UsageLedger>,
        daily: Arc<dyn DailyUsage>,
        meters: Arc<AccountMeters>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { ledger, daily, meters, clock }
    }

    /// The usage of an account with this plan in the current month.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn month(&self, account: AccountId, plan: &Plan) -> Result<Used, StoreError> {
        let period = calendar::period(self.clock.now());
        // Read before and after: a block leased or settled in between must not be subtracted from a count without it.
        let before = self.meters.unspent(account, period);
        let counted = self.ledger.used(account, period).await?;
        let unspent = before.min(self.meters.unspent(account, period));
        Ok(Used { period, limit: plan.queries, used: counted.saturating_sub(unspent).min(plan.queries) })
    }

    /// As [`Usage::month`], by tokens of this kind. Test calls use nothing.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn month_of(&self, account: AccountId, kind: TokenKind, plan: &Plan) -> Result<Used, StoreError> {
        match kind {
            TokenKind::Live => self.month(account, plan).await,
            TokenKind::Test => Ok(Used { period: calendar::period(self.clock.now()), limit: plan.queries, used: 0 }),
        }
    }

    /// Writes the calls since the last write as today's. Call it every second, and before the process ends.
    ///
    /// # Errors
    /// [`StoreError`]; the next call writes the counts, except those that may have been written: the daily usage may
    /// lack calls, but has none twice.
    pub async fn write(&self) -> Result<(), StoreError> {
        let day = calendar::today(self.clock.now());
        let calls = self.meters.calls.take();
        let mut parts = calls.chunks(WRITTEN_AT_ONCE);
        while let Some(part) = parts.next() {
            let counted = part.iter().map(|&((account, operation, code), count)| {
                (account, DayCount { day, operation: operation.into(), code, count })
            });
            if let Err(error) = self.daily.add(&counted.collect::<Vec<_>>()).await {
                let unwritten = if error.had_no_effect() { part } else { &[] };
                unwritten.iter().chain(parts.flatten()).for_each(|(call, count)| self.meters.calls.add(*call, *count));
                return Err(error);
            }
        }
        Ok(())
    }
}
