//! The meters of every calling account, and their eviction when idle.
//!
//! An entry stays while a cached caller holds it, it has a block to return, or its bucket is not full. It is evicted
//! under the lock that new callers take, so an account never has two entries in use.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kuraka_ports::{AccountId, Clock, Period, StoreError, StoreErrorKind, TokenKind, UsageLedger};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::task::{JoinError, JoinSet};

use super::calls::Calls;
use super::plan::Plan;
use super::quota::{Leases, Quota};
use super::rate::{Rate, Shares};

/// Idle blocks are returned for this long before the job runs again: each return is a write.
const SETTLES_FOR: Duration = Duration::from_secs(1);
/// A commit in a shared store takes some milliseconds.
const SETTLED_AT_ONCE: usize = 8;

pub struct AccountMeters {
    clock: Arc<dyn Clock>,
    runtime: Handle,
    leases: Arc<Leases>,
    shares: Shares,
    /// Test calls have a rate of their own.
    accounts: Mutex<HashMap<(AccountId, TokenKind), MeteredAccount>>,
    pub(crate) calls: Arc<Calls>,
    released: Arc<ReleasedAccounts>,
    /// Whether the store answered the latest request for changes.
    is_reachable: AtomicBool,
}

/// One account's meters, held by a caller.
pub(crate) struct AccountMeter {
    pub(crate) rate: Arc<Rate>,
    pub(crate) quota: Arc<Quota>,
    pub(crate) calls: Arc<Calls>,
    /// Dropped last, so that the sweep finds the others released.
    _release: ReleaseOnDrop,
}

struct MeteredAccount {
    plan: Arc<Plan>,
    /// Held only by callers of this plan.
    rate: Arc<Rate>,
    /// Also held by the list of active leases.
    quota: Arc<Quota>,
}

/// Accounts whose caller was dropped since the last sweep.
type ReleasedAccounts = Mutex<HashSet<(AccountId, TokenKind)>>;

struct ReleaseOnDrop {
    account: (AccountId, TokenKind),
    released: Arc<ReleasedAccounts>,
}

impl AccountMeters {
    /// A lease whose caller leaves continues on `runtime`.
    pub fn new(ledger: Arc<dyn UsageLedger>, clock: Arc<dyn Clock>, runtime: Handle) -> Self {
        Self {
            clock,
            leases: Arc::new(Leases::new(ledger, runtime.clone())),
            runtime,
            shares: Shares::default(),
            accounts: Mutex::default(),
            calls: Arc::default(),
            released: Arc::default(),
            is_reachable: AtomicBool::new(true),
        }
    }

    /// The meters of an account on this plan.
    pub(crate) fn meter(&self, account: AccountId, kind: TokenKind, plan: &Arc<Plan>) -> AccountMeter {
        let rate = || Arc::new(Rate::new(plan, self.shares.clone()));
        let mut accounts = self.accounts.lock();
        let entry = accounts.entry((account, kind)).or_insert_with(|| MeteredAccount {
            plan: Arc::clone(plan),
            rate: rate(),
            quota: Arc::new(Quota::new(account, Arc::clone(&self.leases), self.clock.monotonic())),
        });
        if entry.plan != *plan {
            // A new bucket; the month's queries stay counted.
            entry.plan = Arc::clone(plan);
            entry.rate = rate();
        }
        AccountMeter {
            rate: Arc::clone(&entry.rate),
            quota: Arc::clone(&entry.quota),
            calls: Arc::clone(&self.calls),
            _release: ReleaseOnDrop { account: (account, kind), released: Arc::clone(&self.released) },
        }
    }

    pub fn accounts_held(&self) -> usize {
        self.accounts.lock().len()
    }

    /// Sets the number of servers that divide every plan's rate.
    pub fn divide_rates_among(&self, servers: NonZeroU32) {
        self.shares.set(servers);
    }

    /// The servers that divide the rates, this one included.
    pub fn servers(&self) -> u64 {
        self.shares.get()
    }

    /// Records whether the store answered. Otherwise idle blocks are kept.
    pub(crate) fn note_answer(&self, answered: bool) {
        self.is_reachable.store(answered, Ordering::Release);
    }

    pub(crate) fn take_near_limit(&self) -> bool {
        self.leases.is_near_limit.swap(false, Ordering::AcqRel)
    }

    pub(crate) fn note_near_limit(&self) {
        self.leases.is_near_limit.store(true, Ordering::Release);
    }

    /// Records whether a write succeeded. Otherwise idle blocks are kept.
    pub fn note_write(&self, taken: bool) {
        self.leases.takes_writes.store(taken, Ordering::Release);
    }

    /// Whether the latest write to the store succeeded.
    pub fn store_takes_writes(&self) -> bool {
        self.leases.takes_writes.load(Ordering::Acquire)
    }

    /// Returns idle accounts' blocks, unless the store is unreachable: a failed return loses the block, a kept one can
    /// still be spent. Stops at the first failure, and after a second.
    ///
    /// # Errors
    /// [`StoreError`]; then one block counts as used, unless the return had no effect.
    pub async fn settle_idle(&self) -> Result<(), StoreError> {
        let elapsed = self.clock.monotonic();
        for quota in self.leases.active() {
            let is_late = self.clock.monotonic().saturating_sub(elapsed) > SETTLES_FOR;
            if is_late || !self.is_reachable.load(Ordering::Acquire) || !self.store_takes_writes() {
                return Ok(());
            }
            if let Err(error) = quota.settle_idle(elapsed).await {
                // A return that waited too long in the queue says nothing about later ones.
                if error.kind == StoreErrorKind::Unwritable || !error.had_no_effect() {
                    self.note_write(false);
                }
                return if error.had_no_effect() { Ok(()) } else { Err(error) };
            }
        }
        Ok(())
    }

    /// Returns every block when the process stops.
    pub async fn settle_all(&self) -> Vec<StoreError> {
        let (mut settling, mut errors) = (JoinSet::new(), Vec::new());
        for quota in self.leases.active() {
            if settling.len() == SETTLED_AT_ONCE {
                errors.extend(settling.join_next().await.and_then(settle_error));
            }
            settling.spawn_on(async move { quota.settle().await }, &self.runtime);
        }
        while let Some(settled) = settling.join_next().await {
            errors.extend(settle_error(settled));
        }
        errors
    }

    /// Leased and unspent queries of an account in `period`. The ledger counts them as used.
    pub fn unspent(&self, account: AccountId, period: Period) -> u64 {
        self.accounts.lock().get(&(account, TokenKind::Live)).map_or(0, |entry| entry.quota.unspent(period))
    }

    /// Evicts accounts without callers or leases whose bucket is full: a new entry would be the same.
    /// Visits only accounts released since the last sweep.
    pub fn evict_idle(&self) {
        let released = mem::take(&mut *self.released.lock());
        if released.is_empty() {
            return;
        }
        let elapsed = self.clock.monotonic();
        let mut accounts = self.accounts.lock();
        let mut busy = HashSet::new();
        for account in released {
            let Some(entry) = accounts.get_mut(&account) else { continue };
            // Another caller will release it later.
            if Arc::strong_count(&entry.rate) > 1 {
                continue;
            }
            if entry.is_idle(elapsed) {
                accounts.remove(&account);
            } else {
                busy.insert(account);
            }
        }
        if accounts.len() < accounts.capacity() / 4 {
            let len = accounts.len();
            accounts.shrink_to(2 * len);
        }
        drop(accounts);
        self.released.lock().extend(busy);
    }
}

impl MeteredAccount {
    /// Whether nothing refers to the account, and no query is leased.
    fn is_idle(&mut self, elapsed: Duration) -> bool {
        Arc::get_mut(&mut self.rate).is_some_and(|rate| rate.is_full(elapsed))
            && Arc::get_mut(&mut self.quota).is_some_and(|quota| quota.is_empty())
    }
}

impl Drop for ReleaseOnDrop {
    fn drop(&mut self) {
        self.released.lock().insert(self.account);
    }
}

fn settle_error(settled: Result<Result<(), StoreError>, JoinError>) -> Option<StoreError> {
    settled.unwrap_or_else(|stopped| Err(StoreError::new(StoreErrorKind::Unavailable).with_cause(stopped))).err()
}
