//! An account's queries of the month, leased from the ledger in blocks and spent in memory.
//!
//! Each call spends in one atomic step. A low block is refilled in the background; an idle account or a stopping
//! process returns its block. The ledger counts queries when they are leased: a dead process costs an account at most
//! its block, and no account gets more than its plan.

use std::collections::HashMap;
use std::error::Error;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kuraka_ports::{AccountId, Lease, Period, StoreError, StoreErrorKind, UsageLedger};
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::task::yield_now;

use super::plan::Plan;

/// A block without a spent query for this long is returned.
pub const IDLE: Duration = Duration::from_secs(1);

/// Queries left in the period, as far as this process knows.
pub type RemainingQueries = u64;

#[derive(Debug)]
pub enum ChargeError {
    /// The plan has fewer queries left in this period than the charge; nothing was charged.
    Exhausted {
        left: RemainingQueries,
    },
    Store(StoreError),
}

/// The ledger, and the accounts that may hold a block.
pub struct Leases {
    ledger: Arc<dyn UsageLedger>,
    runtime: Handle,
    active: parking_lot::Mutex<HashMap<AccountId, Arc<Quota>>>,
    /// Whether the latest write to the store succeeded.
    pub(crate) takes_writes: AtomicBool,
    /// Whether an account may have reached 80 or 100 %.
    pub(crate) is_near_limit: AtomicBool,
}

/// 80 %.
pub(crate) const fn near_limit(queries: u64) -> u64 {
    queries - queries / 5
}

/// One account's lease in this process.
pub struct Quota {
    account: AccountId,
    leases: Arc<Leases>,
    /// The block: period in the upper 16 bits, unspent queries in the lower 48.
    held: AtomicU64,
    /// Queries used or leased at the time of the lease, the block included.
    used: AtomicU64,
    /// The plan's queries at the time of the lease. A block of one plan is not spent under another.
    limit: AtomicU64,
    /// Queries at which the block is refilled; 0 = only when empty.
    low: AtomicU64,
    /// Monotonic milliseconds of the last spent query.
    spent_at: AtomicU64,
    /// Held during a lease, so that concurrent callers share it.
    leasing: Mutex<()>,
    /// Failed leases. Callers that waited for one do not try again.
    failed: AtomicU64,
    /// Whether the latest lease failed; the ledger may have counted it.
    in_doubt: AtomicBool,
}

const LEFT_BITS: u32 = 48;
const LEFT_MASK: u64 = (1 << LEFT_BITS) - 1;

const fn packed(period: Period, left: u64) -> u64 {
    // Months since year 0 fit 16 bits for three thousand years.
    let months = period.year as u64 * 12 + period.month as u64 - 1;
    (months << LEFT_BITS) | (left & LEFT_MASK)
}

const fn unpacked(held: u64) -> (Period, u64) {
    let months = held >> LEFT_BITS;
    (Period { year: (months / 12) as u16, month: (months % 12) as u8 + 1 }, held & LEFT_MASK)
}

impl ChargeError {
    fn not_leased(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Store(StoreError::new(StoreErrorKind::Unavailable).with_cause(cause))
    }
}

impl Leases {
    /// A lease that has begun continues on `runtime` if its caller disconnects.
    pub fn new(ledger: Arc<dyn UsageLedger>, runtime: Handle) -> Self {
        Self {
            ledger,
            runtime,
            active: parking_lot::Mutex::default(),
            takes_writes: AtomicBool::new(true),
            is_near_limit: AtomicBool::new(true),
        }
    }

    /// The accounts that hold a block or are leasing one.
    pub(crate) fn active(&self) -> Vec<Arc<Quota>> {
        let mut active = self.active.lock();
        active.retain(|_, quota| !quota.is_settled());
        active.values().map(Arc::clone).collect()
    }

    /// Needs a block or a held `leasing`; otherwise [`Leases::active`] removes it.
    fn add(&self, quota: &Arc<Quota>) {
        self.active.lock().insert(quota.account, Arc::clone(quota));
    }
}

impl Quota {
    /// Starts without a block. `elapsed` is monotonic time.
    pub fn new(account: AccountId, leases: Arc<Leases>, elapsed: Duration) -> Self {
        Self {
            account,
            leases,
            held: AtomicU64::new(0),
            used: AtomicU64::new(0),
            limit: AtomicU64::new(0),
            low: AtomicU64::new(0),
            spent_at: AtomicU64::new(millis(elapsed)),
            leasing: Mutex::new(()),
            failed: AtomicU64::new(0),
            in_doubt: AtomicBool::new(false),
        }
    }

    /// Spends queries of `period` under `plan`, all or none. If that fails, leased queries stay in the block. If the
    /// future is dropped, because the caller resets the connection, the queries may have been spent.
    ///
    /// # Errors
    /// [`ChargeError`]; nothing was spent.
    pub async fn spend(
        self: &Arc<Self>,
        queries: u64,
        plan: &Arc<Plan>,
        period: Period,
        elapsed: Duration,
    ) -> Result<RemainingQueries, ChargeError> {
        if let Some(left) = self.spend_held(queries, plan, period, elapsed) {
            let low = self.low.load(Ordering::Relaxed);
            if left > 0 && left <= low && low < left.saturating_add(queries) {
                self.fill_up(plan, period);
            }
            return Ok(self.left(plan, left));
        }
        let failed = self.failed.load(Ordering::Acquire);
        // A lease that has begun continues: the next caller spends it.
        let (quota, plan) = (Arc::clone(self), Arc::clone(plan));
        let waits = Arc::new(());
        let caller = Arc::downgrade(&waits);
        let spending = async move {
            let _leasing = quota.leasing.lock().await;
            // Ready calls request first, so that their leases are written together.
            yield_now().await;
            // A caller that left while waiting is not charged and takes no lease.
            if caller.strong_count() == 0 {
                return Err(ChargeError::not_leased("the caller disconnected before its turn"));
            }
            if let Some(left) = quota.spend_held(queries, &plan, period, elapsed) {
                return Ok(quota.left(&plan, left));
            }
            // If the awaited lease failed, the call fails too.
            if quota.failed.load(Ordering::Acquire) != failed {
                return Err(ChargeError::not_leased("the lease that this call waited for failed"));
            }
            let spent = quota.lease_and_spend(queries, &plan, period, elapsed).await;
            if matches!(spent, Err(ChargeError::Store(_))) {
                quota.failed.fetch_add(1, Ordering::AcqRel);
            }
            spent
        };
        let spent = self.leases.runtime.spawn(spending).await;
        drop(waits);
        spent.unwrap_or_else(|error| match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => Err(ChargeError::not_leased("the server stopped before the lease ended")),
        })
    }

    /// Queries left in `period`, as far as this process knows; `None` before its first lease.
    pub fn peek(&self, plan: &Plan, period: Period) -> Option<RemainingQueries> {
        let (of, left) = unpacked(self.held.load(Ordering::Acquire));
        (of == period).then(|| self.left(plan, left))
    }

    /// Queries of `period` that are leased and not spent.
    pub fn unspent(&self, period: Period) -> u64 {
        let (of, left) = unpacked(self.held.load(Ordering::Acquire));
        if of == period { left } else { 0 }
    }

    /// Refunds queries after a server error. If the block is of another period, they are lost.
    pub fn refund(self: &Arc<Self>, period: Period, queries: u64) {
        // A call with a test token costs nothing. Its quota must not replace the account's among the active ones.
        if queries == 0 {
            return;
        }
        let _ = self.hold(period, queries, 0);
        self.leases.add(self);
    }

    /// Notes queries that were charged in the ledger itself, without a lease.
    pub(crate) fn note_charge(&self, period: Period, queries: u64) {
        if unpacked(self.held.load(Ordering::Acquire)).0 == period {
            self.used.fetch_add(queries, Ordering::AcqRel);
        }
        self.leases.is_near_limit.store(true, Ordering::Release);
    }

    /// Time since the last query was spent.
    pub(crate) fn idle_for(&self, elapsed: Duration) -> Duration {
        Duration::from_millis(millis(elapsed).saturating_sub(self.spent_at.load(Ordering::Relaxed)))
    }

    pub(crate) fn is_empty(&self) -> bool {
        unpacked(self.held.load(Ordering::Acquire)).1 == 0
    }

    /// Whether the block is empty and none is being leased.
    fn is_settled(&self) -> bool {
        self.leasing.try_lock().is_ok() && self.is_empty()
    }

    /// Returns the block if it is idle for [`IDLE`] and no lease is in progress: a slow lease must not delay other
    /// accounts.
    ///
    /// # Errors
    /// [`StoreError`]; then the block counts as used, unless the error had no effect.
    pub async fn settle_idle(&self, elapsed: Duration) -> Result<(), StoreError> {
        let Ok(_leasing) = self.leasing.try_lock() else { return Ok(()) };
        if self.idle_for(elapsed) < IDLE { Ok(()) } else { self.give_back().await }
    }

    /// Returns the block.
    ///
    /// # Errors
    /// [`StoreError`]; then the block counts as used, unless the error had no effect.
    pub async fn settle(&self) -> Result<(), StoreError> {
        let _leasing = self.leasing.lock().await;
        self.give_back().await
    }

    /// Spends from a sufficient block of this plan and period; returns its rest.
    fn spend_held(&self, queries: u64, plan: &Plan, period: Period, elapsed: Duration) -> Option<u64> {
        if self.limit.load(Ordering::Acquire) != plan.queries {
            return None;
        }
        let spend = |held| {
            let (of, left) = unpacked(held);
            if of == period { Some(packed(period, left.checked_sub(queries)?)) } else { None }
        };
        let before = self.held.fetch_update(Ordering::AcqRel, Ordering::Acquire, spend).ok()?;
        self.spent_at.store(millis(elapsed), Ordering::Relaxed);
        Some(unpacked(before).1 - queries)
    }

    /// Refills the block in the background.
    fn fill_up(self: &Arc<Self>, plan: &Arc<Plan>, period: Period) {
        let (quota, plan) = (Arc::clone(self), Arc::clone(plan));
        self.leases.runtime.spawn(async move {
            let _leasing = quota.leasing.lock().await;
            let (of, left) = unpacked(quota.held.load(Ordering::Acquire));
            // An empty block was returned meanwhile; the next caller leases another.
            let is_low = of == period && (1..=quota.low.load(Ordering::Relaxed)).contains(&left);
            if !is_low || quota.limit.load(Ordering::Acquire) != plan.queries {
                return;
            }
            match quota.lease(&plan, period, left, 1).await {
                Ok(granted) => drop(quota.hold(period, granted, 0)),
                // Callers spend the rest; the first one that finds it empty gets an error.
                Err(_) => drop(quota.failed.fetch_add(1, Ordering::AcqRel)),
            }
        });
    }

    /// Refills the block and spends `queries`. The caller holds `leasing`.
    async fn lease_and_spend(
        self: &Arc<Self>,
        queries: u64,
        plan: &Plan,
        period: Period,
        elapsed: Duration,
    ) -> Result<RemainingQueries, ChargeError> {
        let held_of = unpacked(self.held.load(Ordering::Acquire)).0;
        if held_of != period || self.limit.load(Ordering::Acquire) != plan.queries {
            // A block of another month or plan is returned to its own month, or lost.
            self.give_back().await.map_err(ChargeError::Store)?;
            let used = self.leases.ledger.used(self.account, period).await.map_err(ChargeError::Store)?;
            self.used.store(used, Ordering::Release);
            self.held.store(packed(period, 0), Ordering::Release);
            self.limit.store(plan.queries, Ordering::Release);
        }
        loop {
            let held = unpacked(self.held.load(Ordering::Acquire)).1;
            let lacking = queries.saturating_sub(held).max(1);
            if !self.may_grant(lacking, plan, period).await.map_err(ChargeError::Store)? {
                return Err(ChargeError::Exhausted { left: self.left(plan, held) });
            }
            let granted = self.lease(plan, period, held, lacking).await.map_err(ChargeError::Store)?;
            if granted >= lacking {
                self.spent_at.store(millis(elapsed), Ordering::Relaxed);
            }
            match self.hold(period, granted, queries) {
                Ok(left) => return Ok(self.left(plan, left)),
                Err(left) if granted < lacking => return Err(ChargeError::Exhausted { left: self.left(plan, left) }),
                // Others spent from the block meanwhile: try again.
                Err(_) => {}
            }
        }
    }

    /// Whether the ledger may have this many queries left. Reads it only if the last known count is too high. A
    /// hopeless charge leases nothing, so it takes nothing from other servers.
    async fn may_grant(&self, queries: u64, plan: &Plan, period: Period) -> Result<bool, StoreError> {
        let has = |used| queries <= plan.queries.saturating_sub(used);
        if has(self.used.load(Ordering::Acquire)) {
            return Ok(true);
        }
        let used = self.leases.ledger.used(self.account, period).await?;
        self.used.store(used, Ordering::Release);
        Ok(has(used))
    }

    /// Leases at least `least` queries for a block with `left`. The caller holds `leasing`.
    async fn lease(self: &Arc<Self>, plan: &Plan, period: Period, left: u64, least: u64) -> Result<u64, StoreError> {
        self.leases.add(self);
        // The ledger may have counted a lease whose answer was lost. Until it answers again, each lease requests only
        // what the charge needs.
        let in_doubt = self.in_doubt.swap(true, Ordering::AcqRel);
        let block = plan.block(plan.queries.saturating_sub(self.used.load(Ordering::Acquire)));
        let want = if in_doubt { least } else { block.saturating_sub(left).max(least) };
        let leased = self.leases.ledger.lease(self.account, period, plan.queries, want).await;
        if leased.as_ref().is_err_and(StoreError::had_no_effect) {
            self.in_doubt.store(in_doubt, Ordering::Release);
        }
        // Not if the lease waited too long in the queue: that is load.
        if leased.as_ref().is_err_and(|error| error.kind == StoreErrorKind::Unwritable) {
            self.leases.takes_writes.store(false, Ordering::Release);
        }
        let Lease { granted, used } = leased?;
        self.in_doubt.store(false, Ordering::Release);
        self.used.store(used, Ordering::Release);
        self.low.store((left + granted) / 4, Ordering::Relaxed);
        let passes = |at| used.saturating_sub(granted) < at && at <= used;
        if granted < want || passes(near_limit(plan.queries)) || passes(plan.queries) {
            self.leases.is_near_limit.store(true, Ordering::Release);
        }
        Ok(granted)
    }

    /// Adds to the block of this period, then spends `queries` if it has enough. Returns its rest, as an error if
    /// nothing was spent.
    fn hold(&self, period: Period, more: u64, queries: u64) -> Result<u64, u64> {
        let rest = |left: u64| (left + more).checked_sub(queries);
        let add = |held| {
            let (of, left) = unpacked(held);
            (of == period).then(|| packed(period, rest(left).unwrap_or(left + more)))
        };
        let before = self.held.fetch_update(Ordering::AcqRel, Ordering::Acquire, add);
        before.map_or(Err(0), |held| {
            let left = unpacked(held).1;
            rest(left).ok_or(left + more)
        })
    }

    /// The caller holds `leasing`.
    async fn give_back(&self) -> Result<(), StoreError> {
        let (period, left) = unpacked(self.held.fetch_and(!LEFT_MASK, Ordering::AcqRel));
        if left == 0 {
            return Ok(());
        }
        if let Err(error) = self.leases.ledger.settle(self.account, period, left).await {
            if error.had_no_effect() {
                let _ = self.hold(period, left, 0);
            }
            // Waiting calls fail instead of waiting for the ledger once more.
            self.failed.fetch_add(1, Ordering::AcqRel);
            return Err(error);
        }
        self.used.fetch_sub(left, Ordering::AcqRel);
        Ok(())
    }

    fn left(&self, plan: &Plan, of_block: u64) -> RemainingQueries {
        plan.queries.saturating_sub(self.used.load(Ordering::Acquire)) + of_block
    }
}

fn millis(elapsed: Duration) -> u64 {
    u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
}
