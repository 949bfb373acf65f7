//! An account's queries of the month, spent in memory out of a durable lease.
//!
//! The ledger leases a block; calls spend it with one atomic step each; a block that runs low is filled up beside them;
//! what an idle account or a stopping process still holds goes back. A query is on the ledger before its answer leaves, so a process that dies can only lose
//! the account what it held, and nobody ever gets more than the plan.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kuraka_ports::{AccountId, Lease, Period, StoreError, StoreErrorKind, UsageLedger};
use tokio::runtime::Handle;
use tokio::sync::Mutex;

use crate::Plan;

/// A block unspent for this long goes back to the ledger.
pub const IDLE: Duration = Duration::from_secs(1);

const SHARED_FAILURE: &str = "the lease that this call waited for failed";

/// Queries of the period left to the account after a call, as far as this process knows.
pub type Left = u64;

/// Why a query was not spent.
#[derive(Debug)]
pub enum ChargeError {
    /// The plan's queries of this period are used.
    Exhausted,
    /// The ledger could not be asked; nothing was charged.
    Store(StoreError),
}

/// One account's lease, held by this process.
pub struct Meter {
    account: AccountId,
    ledger: Arc<dyn UsageLedger>,
    runtime: Handle,
    /// The lease: period in the upper 16 bits, queries left of the block in the lower 48.
    held: AtomicU64,
    /// Used or leased in the period when the block was leased, the block included.
    used: AtomicU64,
    /// The plan's queries when the block was leased: a block of one plan is not spent under another.
    limit: AtomicU64,
    /// What is left of the block when it is filled up; 0 = not before it is empty.
    low: AtomicU64,
    /// Monotonic milliseconds of the last query spent.
    spent_at: AtomicU64,
    /// Held while a block is leased, so that a thousand callers ask the ledger once.
    leasing: Mutex<()>,
    /// Leases that failed: whoever waited for one of them does not try again.
    failed: AtomicU64,
    /// Whether the latest lease failed, and may be on the ledger all the same.
    in_doubt: AtomicBool,
}

const LEFT_BITS: u32 = 48;
const LEFT_MASK: u64 = (1 << LEFT_BITS) - 1;

const fn packed(period: Period, left: u64) -> u64 {
    // Months since year 0 fit 16 bits for the next three thousand years.
    let months = period.year as u64 * 12 + period.month as u64 - 1;
    (months << LEFT_BITS) | (left & LEFT_MASK)
}

const fn unpacked(held: u64) -> (Period, u64) {
    let months = held >> LEFT_BITS;
    (Period { year: (months / 12) as u16, month: (months % 12) as u8 + 1 }, held & LEFT_MASK)
}

impl Meter {
    /// A meter that holds nothing yet. Leases are taken on `runtime`, so that they outlive a caller who goes away.
    #[must_use]
    pub fn new(account: AccountId, ledger: Arc<dyn UsageLedger>, runtime: Handle) -> Self {
        Self {
            account,
            ledger,
            runtime,
            held: AtomicU64::new(0),
            used: AtomicU64::new(0),
            limit: AtomicU64::new(0),
            low: AtomicU64::new(0),
            spent_at: AtomicU64::new(0),
            leasing: Mutex::new(()),
            failed: AtomicU64::new(0),
            in_doubt: AtomicBool::new(false),
        }
    }

    /// Spends one query of `period` under `plan`. `elapsed` is monotonic time.
    ///
    /// # Errors
    /// [`ChargeError`]; nothing was spent then.
    pub async fn spend(
        self: &Arc<Self>,
        plan: &Arc<Plan>,
        period: Period,
        elapsed: Duration,
    ) -> Result<Left, ChargeError> {
        self.spent_at.store(millis(elapsed), Ordering::Relaxed);
        if let Some(left) = self.spend_held(plan, period) {
            if left > 0 && left == self.low.load(Ordering::Relaxed) {
                self.fill_up(plan, period);
            }
            return Ok(self.left(plan, left));
        }
        // Leasing is not undone by a caller who goes away: what was leased stays to be spent by the next.
        let (meter, plan) = (Arc::clone(self), Arc::clone(plan));
        let failed = self.failed.load(Ordering::Acquire);
        let spending = self.runtime.spawn(async move {
            let _leasing = meter.leasing.lock().await;
            if let Some(left) = meter.spend_held(&plan, period) {
                return Ok(meter.left(&plan, left));
            }
            // A ledger that does not answer makes its callers wait once, not each for all before it.
            if meter.failed.load(Ordering::Acquire) != failed {
                return Err(ChargeError::Store(
                    StoreError::new(StoreErrorKind::Unavailable).with_cause(SHARED_FAILURE),
                ));
            }
            let spent = meter.lease_and_spend(&plan, period).await;
            if matches!(spent, Err(ChargeError::Store(_))) {
                meter.failed.fetch_add(1, Ordering::AcqRel);
            }
            spent
        });
        spending.await.unwrap_or_else(|stopped| {
            Err(ChargeError::Store(StoreError::new(StoreErrorKind::Unavailable).with_cause(stopped)))
        })
    }

    /// Queries of `period` left to the account, as far as this process knows; `None` if it has not asked yet.
    #[must_use]
    pub fn peek(&self, plan: &Plan, period: Period) -> Option<Left> {
        let (of, left) = unpacked(self.held.load(Ordering::Acquire));
        (of == period).then(|| self.left(plan, left))
    }

    /// Queries of `period` that are leased and not spent.
    #[must_use]
    pub fn unspent(&self, period: Period) -> u64 {
        let (of, left) = unpacked(self.held.load(Ordering::Acquire));
        if of == period { left } else { 0 }
    }

    /// Takes one query back into the block: what it was spent on never came about. Lost to the account if the block is of
    /// another period by now.
    pub fn take_back(&self, period: Period) {
        self.hold(period, 1);
    }

    /// Gives the block back if nothing was spent of it for [`IDLE`].
    ///
    /// # Errors
    /// Those of the ledger; the block is gone then, and counts as used.
    pub async fn settle_idle(&self, elapsed: Duration) -> Result<(), StoreError> {
        let idle = millis(elapsed).saturating_sub(self.spent_at.load(Ordering::Relaxed));
        if u128::from(idle) < IDLE.as_millis() { Ok(()) } else { self.settle().await }
    }

    /// Gives the block back.
    ///
    /// # Errors
    /// Those of the ledger; the block is gone then, and counts as used.
    pub async fn settle(&self) -> Result<(), StoreError> {
        let _leasing = self.leasing.lock().await;
        self.give_back().await
    }

    /// One query out of the block, if it is of this plan and period and not spent; answers what is left of the block.
    fn spend_held(&self, plan: &Plan, period: Period) -> Option<u64> {
        if self.limit.load(Ordering::Acquire) != plan.queries {
            return None;
        }
        let spend = |held| {
            let (of, left) = unpacked(held);
            (of == period && left > 0).then(|| packed(period, left - 1))
        };
        let before = self.held.fetch_update(Ordering::AcqRel, Ordering::Acquire, spend).ok()?;
        Some(unpacked(before).1 - 1)
    }

    /// Leases what the block lacks, beside the calls that spend what is left of it.
    fn fill_up(self: &Arc<Self>, plan: &Arc<Plan>, period: Period) {
        let (meter, plan) = (Arc::clone(self), Arc::clone(plan));
        self.runtime.spawn(async move {
            let _leasing = meter.leasing.lock().await;
            let (of, left) = unpacked(meter.held.load(Ordering::Acquire));
            // An empty block was given back meanwhile: it is for the next caller to ask for another.
            let is_low = of == period && (1..=meter.low.load(Ordering::Relaxed)).contains(&left);
            if !is_low || meter.limit.load(Ordering::Acquire) != plan.queries {
                return;
            }
            match meter.lease(&plan, period, left).await {
                Ok(granted) => drop(meter.hold(period, granted)),
                // What is left goes on; whoever finds the block empty is told.
                Err(_) => drop(meter.failed.fetch_add(1, Ordering::AcqRel)),
            }
        });
    }

    /// With `leasing` held: a new block, one query of which is spent.
    async fn lease_and_spend(&self, plan: &Plan, period: Period) -> Result<Left, ChargeError> {
        let held_of = unpacked(self.held.load(Ordering::Acquire)).0;
        if held_of != period || self.limit.load(Ordering::Acquire) != plan.queries {
            // A block of another month or plan goes back, to its own month, or is gone if the ledger cannot be reached.
            self.give_back().await.map_err(ChargeError::Store)?;
            let used = self.ledger.used(self.account, period).await.map_err(ChargeError::Store)?;
            self.used.store(used, Ordering::Release);
            self.held.store(packed(period, 0), Ordering::Release);
            self.limit.store(plan.queries, Ordering::Release);
        }
        match self.lease(plan, period, 0).await.map_err(ChargeError::Store)? {
            0 => Err(ChargeError::Exhausted),
            granted => Ok(self.left(plan, self.hold(period, granted - 1))),
        }
    }

    /// With `leasing` held: takes from the ledger what a block lacks of which so many queries are left.
    async fn lease(&self, plan: &Plan, period: Period, left: u64) -> Result<u64, StoreError> {
        // A lease whose answer was lost may be on the ledger, and counts as used. Until one is answered again, no
        // more is risked than the query that is asked for.
        let in_doubt = self.in_doubt.swap(true, Ordering::AcqRel);
        let block = plan.block(plan.queries.saturating_sub(self.used.load(Ordering::Acquire)));
        let want = if in_doubt { 1 } else { block.saturating_sub(left).max(1) };
        let Lease { granted, used } = self.ledger.lease(self.account, period, plan.queries, want).await?;
        self.in_doubt.store(false, Ordering::Release);
        self.used.store(used, Ordering::Release);
        self.low.store((left + granted) / 4, Ordering::Relaxed);
        Ok(granted)
    }

    /// Adds to the block of this period; answers what is left of it then.
    fn hold(&self, period: Period, more: u64) -> u64 {
        let add = |held| {
            let (of, left) = unpacked(held);
            (of == period).then(|| packed(period, left + more))
        };
        let before = self.held.fetch_update(Ordering::AcqRel, Ordering::Acquire, add);
        before.map_or(0, |held| unpacked(held).1 + more)
    }

    /// With `leasing` held: empties the block into the ledger.
    async fn give_back(&self) -> Result<(), StoreError> {
        let (period, left) = unpacked(self.held.fetch_and(!LEFT_MASK, Ordering::AcqRel));
        if left == 0 {
            return Ok(());
        }
        self.ledger.settle(self.account, period, left).await?;
        self.used.fetch_sub(left, Ordering::AcqRel);
        Ok(())
    }

    fn left(&self, plan: &Plan, of_block: u64) -> Left {
        plan.queries.saturating_sub(self.used.load(Ordering::Acquire)) + of_block
    }
}

fn millis(elapsed: Duration) -> u64 {
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}
