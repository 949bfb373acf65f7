//! An account's queries of the month, leased from the ledger in blocks and spent in memory.
//!
//! Each call spends in one atomic step. A low block is refilled in the background; an idle account or a stopping
//! process returns its block. The ledger counts queries when they are leased: a dead process costs an account at most
//! its block, and no account gets more than its plan.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use kuraka_ports::{AccountId, Lease, Period, StoreError, StoreErrorKind, UsageLedger};
use thiserror::Error;
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::task::yield_now;

use super::detach_on_drop::DetachOnDrop;
use super::plan::Plan;

/// A block without a spent query for this long is returned.
pub const IDLE: Duration = Duration::from_secs(1);

/// Never read: the caller has left.
const CALLER_LEFT: &str = "the caller disconnected before its turn";
const SHARED_FAILURE: &str = "the lease that this call waited for failed";

#[derive(Debug, Error)]
pub enum ChargeError {
    /// The plan has fewer queries left in this period than the charge; nothing was charged.
    #[error("the plan has {left} queries left in this period, fewer than were asked for")]
    Exhausted { left: u64 },
    #[error("the ledger could not be asked for queries")]
    Store(#[from] StoreError),
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
    block: parking_lot::Mutex<Block>,
    /// Held during a lease, so that concurrent callers share it. Only its holder changes the block's period and plan.
    leasing: Mutex<()>,
    /// Failed leases. Callers that waited for one do not try again.
    failed: AtomicU64,
}

struct Block {
    period: Period,
    /// The plan's queries at the time of the lease. A block of one plan is not spent under another.
    limit: u64,
    /// Leased and unspent queries.
    left: u64,
    /// Queries used or leased at the time of the lease, the block included.
    used: u64,
    /// Queries at which the block is refilled; 0 = only when empty.
    low: u64,
    /// Monotonic time of the last spent query.
    spent_at: Duration,
    /// Whether the latest lease failed; the ledger may have counted it.
    in_doubt: bool,
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

impl Block {
    fn is_of(&self, plan: &Plan, period: Period) -> bool {
        self.period == period && self.limit == plan.queries
    }

    fn is_low(&self, plan: &Plan, period: Period) -> bool {
        self.is_of(plan, period) && (1..=self.low).contains(&self.left)
    }

    /// Queries that the plan has left.
    const fn of_plan(&self, plan: &Plan) -> u64 {
        plan.queries.saturating_sub(self.used) + self.left
    }
}

impl Quota {
    /// Starts without a block. `elapsed` is monotonic time.
    pub fn new(account: AccountId, leases: Arc<Leases>, elapsed: Duration) -> Self {
        let period = Period { year: 1, month: 1 };
        let block = Block { period, limit: 0, left: 0, used: 0, low: 0, spent_at: elapsed, in_doubt: false };
        Self { account, leases, block: block.into(), leasing: Mutex::new(()), failed: AtomicU64::new(0) }
    }

    /// Spends queries of `period` under `plan`, all or none; returns what the plan has left. If that fails, leased
    /// queries stay in the block. If the future is dropped, because the caller resets the connection, the queries may
    /// have been spent.
    ///
    /// # Errors
    /// [`ChargeError`]; nothing was spent.
    pub async fn spend(
        self: &Arc<Self>,
        queries: u64,
        plan: &Arc<Plan>,
        period: Period,
        elapsed: Duration,
    ) -> Result<u64, ChargeError> {
        if let Some(left) = self.spend_held(queries, plan, period, elapsed) {
            return Ok(left);
        }
        // A lease that has begun continues: the next caller spends it.
        let (quota, plan) = (Arc::clone(self), Arc::clone(plan));
        let failed = self.failed.load(Ordering::Acquire);
        let waits = Arc::new(());
        let caller = Arc::downgrade(&waits);
        let spending = async move {
            let _leasing = quota.leasing.lock().await;
            // Ready calls request first, so that their leases are written together.
            yield_now().await;
            // A caller that left while waiting is not charged and takes no lease.
            if caller.strong_count() == 0 {
                return Err(StoreError::new(StoreErrorKind::Unavailable).with_cause(CALLER_LEFT).into());
            }
            if let Some(left) = quota.spend_held(queries, &plan, period, elapsed) {
                return Ok(left);
            }
            // If the awaited lease failed, the call fails too.
            if quota.failed.load(Ordering::Acquire) != failed {
                return Err(StoreError::new(StoreErrorKind::Unavailable).with_cause(SHARED_FAILURE).into());
            }
            let spent = quota.lease_and_spend(queries, &plan, period, elapsed).await;
            if matches!(spent, Err(ChargeError::Store(_))) {
                quota.failed.fetch_add(1, Ordering::AcqRel);
            }
            spent
        };
        let mut spending = DetachOnDrop::new(spending, self.leases.runtime.clone());
        // Dropped before `spending`, which then finds that the caller left.
        let _waits = waits;
        (&mut spending).await
    }

    /// Queries left in `period`, as far as this process knows; `None` before its first lease.
    pub fn peek(&self, plan: &Plan, period: Period) -> Option<u64> {
        let block = self.block.lock();
        (block.period == period).then(|| block.of_plan(plan))
    }

    /// Queries of `period` that are leased and not spent.
    pub fn unspent(&self, period: Period) -> u64 {
        let block = self.block.lock();
        if block.period == period { block.left } else { 0 }
    }

    /// Refunds queries after a server error. If the block is of another period, they are lost.
    pub fn refund(self: &Arc<Self>, period: Period, queries: u64) {
        self.put_back(period, queries);
        self.leases.add(self);
    }

    /// Notes queries that were charged in the ledger itself, without a lease.
    pub(crate) fn note_charge(&self, period: Period, queries: u64) {
        let mut block = self.block.lock();
        if block.period == period {
            block.used += queries;
        }
        self.leases.is_near_limit.store(true, Ordering::Release);
    }

    /// Time since the last query was spent.
    pub(crate) fn idle_for(&self, elapsed: Duration) -> Duration {
        elapsed.saturating_sub(self.block.lock().spent_at)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.block.lock().left == 0
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

    /// Spends from a sufficient block of this plan and period; returns what the plan has left.
    fn spend_held(self: &Arc<Self>, queries: u64, plan: &Arc<Plan>, period: Period, elapsed: Duration) -> Option<u64> {
        let mut block = self.block.lock();
        if !block.is_of(plan, period) {
            return None;
        }
        let before = block.left;
        block.left = before.checked_sub(queries)?;
        block.spent_at = elapsed;
        let (is_low, left) = (block.is_low(plan, period) && before > block.low, block.of_plan(plan));
        drop(block);
        if is_low {
            self.fill_up(plan, period);
        }
        Some(left)
    }

    /// Refills the block in the background.
    fn fill_up(self: &Arc<Self>, plan: &Arc<Plan>, period: Period) {
        let (quota, plan) = (Arc::clone(self), Arc::clone(plan));
        self.leases.runtime.spawn(async move {
            let _leasing = quota.leasing.lock().await;
            // An empty block was returned meanwhile; the next caller leases another.
            let is_low = quota.block.lock().is_low(&plan, period);
            // Callers spend the rest; the first one that finds it empty gets an error.
            if is_low && quota.lease(&plan, period, 1).await.is_err() {
                quota.failed.fetch_add(1, Ordering::AcqRel);
            }
        });
    }

    /// Refills the block and spends `queries`. The caller holds `leasing`.
    async fn lease_and_spend(
        self: &Arc<Self>,
        queries: u64,
        plan: &Arc<Plan>,
        period: Period,
        elapsed: Duration,
    ) -> Result<u64, ChargeError> {
        if !self.block.lock().is_of(plan, period) {
            // A block of another month or plan is returned to its own month, or lost.
            self.give_back().await?;
            let used = self.leases.ledger.used(self.account, period).await?;
            let mut block = self.block.lock();
            (block.period, block.limit, block.left, block.used) = (period, plan.queries, 0, used);
        }
        loop {
            let lacking = queries.saturating_sub(self.block.lock().left).max(1);
            let granted =
                if self.may_grant(lacking, plan, period).await? { self.lease(plan, period, lacking).await? } else { 0 };
            if granted >= lacking
                && let Some(left) = self.spend_held(queries, plan, period, elapsed)
            {
                return Ok(left);
            }
            if granted < lacking {
                return Err(ChargeError::Exhausted { left: self.block.lock().of_plan(plan) });
            }
            // Others spent from the block meanwhile: try again.
        }
    }

    /// Whether the ledger may have this many queries left. Reads it only if the last known count is too high. A
    /// hopeless charge leases nothing, so it takes nothing from other servers.
    async fn may_grant(&self, queries: u64, plan: &Plan, period: Period) -> Result<bool, StoreError> {
        let has = |used| queries <= plan.queries.saturating_sub(used);
        if has(self.block.lock().used) {
            return Ok(true);
        }
        let used = self.leases.ledger.used(self.account, period).await?;
        self.block.lock().used = used;
        Ok(has(used))
    }

    /// Leases at least `least` queries, if the plan has them, and adds them to the block. The caller holds `leasing`.
    async fn lease(self: &Arc<Self>, plan: &Plan, period: Period, least: u64) -> Result<u64, StoreError> {
        self.leases.add(self);
        let (want, in_doubt) = {
            let mut block = self.block.lock();
            let size = plan.block(plan.queries.saturating_sub(block.used));
            // The ledger may have counted a lease whose answer was lost. Until it answers again, each lease requests
            // only what the charge needs.
            let want = if block.in_doubt { least } else { size.saturating_sub(block.left).max(least) };
            (want, mem::replace(&mut block.in_doubt, true))
        };
        let leased = self.leases.ledger.lease(self.account, period, plan.queries, want).await;
        let mut block = self.block.lock();
        match leased {
            Ok(Lease { granted, used }) => {
                block.left += granted;
                (block.used, block.low, block.in_doubt) = (used, block.left / 4, false);
                let passes = |at| used.saturating_sub(granted) < at && at <= used;
                if granted < want || passes(near_limit(plan.queries)) || passes(plan.queries) {
                    self.leases.is_near_limit.store(true, Ordering::Release);
                }
                Ok(granted)
            }
            Err(error) => {
                block.in_doubt = in_doubt || !error.had_no_effect();
                // Not if the lease waited too long in the queue: that is load.
                if error.kind == StoreErrorKind::Unwritable {
                    self.leases.takes_writes.store(false, Ordering::Release);
                }
                Err(error)
            }
        }
    }

    /// Adds to the block of this period.
    fn put_back(&self, period: Period, queries: u64) {
        let mut block = self.block.lock();
        if block.period == period {
            block.left += queries;
        }
    }

    /// The caller holds `leasing`.
    async fn give_back(&self) -> Result<(), StoreError> {
        let (period, left) = {
            let mut block = self.block.lock();
            (block.period, mem::take(&mut block.left))
        };
        if left == 0 {
            return Ok(());
        }
        if let Err(error) = self.leases.ledger.settle(self.account, period, left).await {
            if error.had_no_effect() {
                self.put_back(period, left);
            }
            // Waiting calls fail instead of waiting for the ledger once more.
            self.failed.fetch_add(1, Ordering::AcqRel);
            return Err(error);
        }
        let mut block = self.block.lock();
        block.used = block.used.saturating_sub(left);
        Ok(())
    }
}
