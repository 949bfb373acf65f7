//! Lists that accounts keep, and the charge of their results.
//!
//! A batch is looked up first. Then its results and its price are written to the store in one transaction, not through a
//! lease: a killed server has charged exactly what is stored, and the batch in progress is looked up again, free of
//! charge. The price of this is that work which cannot be charged in the end is done for nothing, one batch at most.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use jiff::{SignedDuration, Timestamp};
use kuraka_ports::{
    Account, AccountId, BatchOutcome, Clock, KeptList, KeptLists, ListBounds, ListChange, ListId, ListStatus, NewBatch,
    NewList, StoreError,
};

use crate::access::ChargedCall;
use crate::accounts::sign_in::{RandomSource, random_id};
use crate::calendar;

/// How much an account may keep.
pub const BOUNDS: ListBounds = ListBounds { lists: 100, bytes: 8 << 20 };
/// Days for which a list with a name is kept.
const NAMED_DAYS: i64 = 400;
/// How long a server that was killed keeps others from its runs.
const LEASE: SignedDuration = SignedDuration::from_secs(4);

pub struct Lists {
    pub store: Arc<dyn KeptLists>,
    clock: Arc<dyn Clock>,
    random: RandomSource,
    /// Days for which a list without a name is kept; 0 = every list is kept for an hour.
    pub kept_days: u32,
    /// Whether a run has begun or goes on since the last look at the store.
    is_woken: AtomicBool,
}

#[derive(Clone, Debug)]
pub struct BatchResults {
    pub results: Vec<u8>,
    pub items: u64,
    pub queries: u64,
    pub status: ListStatus,
}

impl Lists {
    /// `random` makes the numbers of lists.
    pub fn new(store: Arc<dyn KeptLists>, clock: Arc<dyn Clock>, random: RandomSource, kept_days: u32) -> Self {
        Self { store, clock, random, kept_days, is_woken: AtomicBool::new(true) }
    }

    /// Keeps a list that was read, perhaps as a copy of another.
    ///
    /// # Errors
    /// See [`KeptLists::add_list`].
    pub async fn keep(
        &self,
        account: AccountId,
        settings: String,
        source: Vec<u8>,
        copy_of: Option<ListId>,
    ) -> Result<ListId, StoreError> {
        let id = ListId(random_id(self.random)?);
        let new = NewList { id, account, settings, source, copy_of, now: self.clock.now() };
        self.store.add_list(&new, BOUNDS).await?;
        Ok(id)
    }

    /// Begins a run of so many items, with what is kept of the run before. See [`KeptLists::change_list`].
    ///
    /// # Errors
    /// `Unavailable`.
    pub async fn run(
        &self,
        list: &KeptList,
        settings: String,
        items: u64,
        before: Vec<u8>,
    ) -> Result<bool, StoreError> {
        let now = self.clock.now().max(list.ran + SignedDuration::from_micros(1));
        self.wake(list, ListChange::Run { after: list.ran, settings, items, before, now }).await
    }

    /// # Errors
    /// `Unavailable`.
    pub async fn go_on(&self, list: &KeptList) -> Result<bool, StoreError> {
        self.wake(list, ListChange::Continue).await
    }

    async fn wake(&self, list: &KeptList, change: ListChange) -> Result<bool, StoreError> {
        let changed = self.store.change_list(list.account, list.id, &change).await?;
        self.is_woken.store(true, Ordering::Release);
        Ok(changed)
    }

    /// Whether a run of this server waits, which a look at the store answers for other servers' runs.
    pub fn take_wake(&self) -> bool {
        self.is_woken.swap(false, Ordering::AcqRel)
    }

    /// Takes a run that no server works on, with its owner.
    ///
    /// # Errors
    /// See [`KeptLists::lease_list`].
    pub async fn lease(&self) -> Result<Option<(KeptList, Account)>, StoreError> {
        self.store.lease_list(self.clock.now(), self.lease_end()).await
    }

    /// When a lease ends that is taken or renewed now.
    pub fn lease_end(&self) -> Timestamp {
        self.clock.now() + LEASE
    }

    /// Ends a run, or gives it to the next server, as the status says.
    ///
    /// # Errors
    /// See [`KeptLists::set_run`].
    pub async fn end(&self, list: &KeptList, status: ListStatus) -> Result<(), StoreError> {
        self.store.set_run(list, status, self.clock.now()).await.map(drop)
    }

    /// Stores the results of a batch and charges the caller of this call, both or neither.
    ///
    /// # Errors
    /// See [`KeptLists::add_batch`].
    pub async fn charge(
        &self,
        call: &ChargedCall,
        list: &KeptList,
        results: BatchResults,
    ) -> Result<BatchOutcome, StoreError> {
        let BatchResults { results, items, queries, status } = results;
        let (period, limit, until) = (calendar::period(self.clock.now()), call.caller.plan.queries, self.lease_end());
        let batch = NewBatch { list, results, items, status, queries, period, limit, until };
        let quota = &call.caller.meter.quota;
        let mut outcome = self.store.add_batch(&batch, BOUNDS).await?;
        // Queries that this server has leased for calls count as used.
        if outcome == BatchOutcome::Exhausted && quota.unspent(period) > 0 {
            quota.settle().await?;
            outcome = self.store.add_batch(&batch, BOUNDS).await?;
        }
        if outcome == BatchOutcome::Stored {
            quota.note_charge(period, queries);
        }
        Ok(outcome)
    }

    /// Days for which a list is kept after its latest run; `None` = for an hour.
    pub fn days(&self, list: &KeptList) -> Option<i64> {
        let days = if list.name.is_empty() { i64::from(self.kept_days) } else { NAMED_DAYS };
        (self.kept_days > 0).then_some(days)
    }

    /// How long lists without a name, and lists with one, are kept after their latest run.
    pub(crate) fn kept_for(&self) -> [SignedDuration; 2] {
        let days = |days: i64| SignedDuration::from_hours(if self.kept_days == 0 { 1 } else { 24 * days });
        [days(self.kept_days.into()), days(NAMED_DAYS)]
    }
}
