use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Waker};
use std::time::Duration;

use async_trait::async_trait;
use kuraka_app::Plan;
use kuraka_app::quota::{ChargeError, IDLE, Leases, Quota};
use kuraka_ports::fake::MemoryStore;
use kuraka_ports::{
    Account, AccountId, Accounts, Email, Lease, Period, PlanName, StoreError, StoreErrorKind, UsageLedger,
};
use tokio::runtime::{self, Handle};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::fixture::plan;

pub(crate) const NOVEMBER: Period = Period { year: 2026, month: 11 };
const DECEMBER: Period = Period { year: 2026, month: 12 };
pub(crate) const START: Duration = Duration::ZERO;

pub(crate) async fn account(store: &MemoryStore) -> Account {
    let plan = PlanName::parse("p").unwrap();
    Accounts::create(store, &Email::parse("a@b.pe").unwrap(), &plan, None, jiff::Timestamp::UNIX_EPOCH).await.unwrap()
}

pub(crate) fn quota(account: AccountId, ledger: Arc<dyn UsageLedger>) -> Arc<Quota> {
    Arc::new(Quota::new(account, Arc::new(Leases::new(ledger, Handle::current())), START))
}

pub(crate) async fn quota_in(store: &Arc<MemoryStore>) -> Arc<Quota> {
    quota(account(store).await.id, store.clone())
}

pub(crate) fn small() -> Arc<Plan> {
    Arc::new(plan("p", 1_000, 1, 1))
}

pub(crate) fn large() -> Arc<Plan> {
    Arc::new(plan("p", 1_000_000, 1, 1))
}

async fn until_filled_up(store: &MemoryStore, asked: u64) {
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
    assert_eq!(store.asked(), asked);
}

#[tokio::test]
async fn a_low_block_is_refilled_up_to_its_size() {
    const BLOCK: u64 = 10_000;
    let store = Arc::new(MemoryStore::new());
    let quota = quota_in(&store).await;
    let owner = Accounts::page(&*store, None, 1).await.unwrap()[0].id;
    let mut spent = 0;
    let mut spend = async |count: u64| {
        for _ in 0..count {
            quota.spend(1, &large(), NOVEMBER, START).await.unwrap();
        }
        spent += count;
        tokio::task::yield_now().await;
        spent
    };
    spend(BLOCK * 3 / 4 - 1).await;
    assert_eq!(store.used(owner, NOVEMBER).await.unwrap(), BLOCK, "three quarters of the block");
    let asked = store.asked();
    let spent = spend(1).await;
    until_filled_up(&store, asked + 1).await;
    let held = quota.unspent(NOVEMBER);
    assert!((BLOCK - 100..=BLOCK).contains(&held), "{held}: a hundredth of what is left by now");
    assert_eq!(store.used(owner, NOVEMBER).await.unwrap(), spent + held);
    quota.settle().await.unwrap();
    assert_eq!(store.used(owner, NOVEMBER).await.unwrap(), spent);
}

#[tokio::test]
async fn an_idle_block_is_returned_after_one_second() {
    let store = Arc::new(MemoryStore::new());
    let account = account(&store).await;
    let quota = quota(account.id, store.clone());
    quota.spend(1, &large(), NOVEMBER, START).await.unwrap();
    quota.settle_idle(IDLE - Duration::from_millis(1)).await.unwrap();
    assert_eq!(store.used(account.id, NOVEMBER).await.unwrap(), 10_000);
    quota.settle_idle(IDLE).await.unwrap();
    assert_eq!(store.used(account.id, NOVEMBER).await.unwrap(), 1);
    assert_eq!(quota.spend(1, &large(), NOVEMBER, START).await.unwrap(), 999_998);
}

#[tokio::test]
async fn a_block_of_last_month_is_returned_to_last_month() {
    let store = Arc::new(MemoryStore::new());
    let account = account(&store).await;
    let quota = quota(account.id, store.clone());
    for _ in 0..3 {
        quota.spend(1, &large(), NOVEMBER, START).await.unwrap();
    }
    assert_eq!(quota.spend(1, &large(), DECEMBER, START).await.unwrap(), 999_999);
    assert_eq!(store.used(account.id, NOVEMBER).await.unwrap(), 3);
    quota.settle().await.unwrap();
    assert_eq!(store.used(account.id, DECEMBER).await.unwrap(), 1);
}

#[tokio::test]
async fn a_block_is_not_spent_under_another_plan() {
    let store = Arc::new(MemoryStore::new());
    let account = account(&store).await;
    let quota = quota(account.id, store.clone());
    quota.spend(1, &large(), NOVEMBER, START).await.unwrap();
    let smaller = Arc::new(plan("p", 3, 1, 1));
    assert_eq!(quota.spend(1, &smaller, NOVEMBER, START).await.unwrap(), 1);
    assert_eq!(quota.spend(1, &smaller, NOVEMBER, START).await.unwrap(), 0);
    assert!(matches!(quota.spend(1, &smaller, NOVEMBER, START).await, Err(ChargeError::Exhausted { left: 0 })));
    assert_eq!(store.used(account.id, NOVEMBER).await.unwrap(), 3);
    assert_eq!(quota.spend(1, &large(), NOVEMBER, START).await.unwrap(), 999_996);
}

#[tokio::test]
async fn a_cancelled_callers_lease_serves_the_next_caller() {
    for queries in [1, 30_000] {
        let store = Arc::new(MemoryStore::new());
        let account = account(&store).await;
        let quota = quota(account.id, store.clone());
        let plan = large();
        // Polled once, then dropped: the lease goes on.
        let polled = std::pin::pin!(quota.spend(queries, &plan, NOVEMBER, START))
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        assert!(polled.is_pending());
        let left = quota.spend(1, &plan, NOVEMBER, START).await.unwrap();
        quota.settle().await.unwrap();
        let used = store.used(account.id, NOVEMBER).await.unwrap();
        assert!([1, 1 + queries].contains(&used), "the dropped call is charged whole or not at all, found {used}");
        assert_eq!(left, 1_000_000 - used);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_lease_fails_every_waiting_caller() {
    let store = Gated::new(true);
    let quota = quota(AccountId(1), store.clone());
    let mut callers = JoinSet::new();
    for _ in 0..200 {
        let quota = Arc::clone(&quota);
        callers.spawn(async move { quota.spend(1, &small(), NOVEMBER, START).await });
    }
    // All callers wait for the first lease.
    while Arc::strong_count(&quota) < 401 {
        tokio::task::yield_now().await;
    }
    store.gate.add_permits(1);
    let outcomes = tokio::time::timeout(Duration::from_secs(10), callers.join_all()).await.unwrap();
    for outcome in outcomes {
        assert!(matches!(outcome, Err(ChargeError::Store(error)) if error.kind == StoreErrorKind::Unavailable));
    }
    assert_eq!(store.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_sweep_does_not_wait_for_a_slow_lease() {
    let store = Gated::new(true);
    let quota = quota(AccountId(1), store.clone());
    let caller = Arc::clone(&quota);
    let call = tokio::spawn(async move { caller.spend(1, &small(), NOVEMBER, START).await });
    while store.asked.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    tokio::time::timeout(Duration::from_secs(10), quota.settle_idle(10 * IDLE)).await.unwrap().unwrap();
    assert!(!call.is_finished(), "the lease was still on the way");
    store.gate.add_permits(1);
    assert!(call.await.unwrap().is_err());
}

#[tokio::test]
async fn after_a_lost_lease_answer_one_query_is_leased() {
    let store = Arc::new(MemoryStore::new());
    let quota = quota_in(&store).await;
    quota.spend(1, &large(), NOVEMBER, START).await.unwrap();
    quota.settle().await.unwrap();
    store.fail(StoreErrorKind::Unavailable);
    for _ in 0..3 {
        assert!(matches!(quota.spend(1, &large(), NOVEMBER, START).await, Err(ChargeError::Store(_))));
    }
    store.fail(None);
    quota.spend(1, &large(), NOVEMBER, START).await.unwrap();
    let owner = Accounts::page(&*store, None, 1).await.unwrap()[0].id;
    assert_eq!(store.used(owner, NOVEMBER).await.unwrap(), 2, "the lease after the doubt is of one");
    quota.spend(1, &large(), NOVEMBER, START).await.unwrap();
    assert!(store.used(owner, NOVEMBER).await.unwrap() > 9_000, "and then they are of blocks again");
}

#[tokio::test]
async fn a_store_that_takes_no_writes_leaves_blocks_held() {
    let store = Arc::new(MemoryStore::new());
    let quota = quota_in(&store).await;
    quota.spend(1, &large(), NOVEMBER, START).await.unwrap();
    let (held, owner) = (quota.unspent(NOVEMBER), Accounts::page(&*store, None, 1).await.unwrap()[0].id);
    assert!(held > 9_000);
    store.fail(StoreErrorKind::Unwritable);
    assert!(quota.settle_idle(START + 2 * IDLE).await.unwrap_err().had_no_effect());
    assert_eq!(quota.unspent(NOVEMBER), held, "the refused block is still held");
    quota.spend(1, &large(), NOVEMBER, START).await.unwrap();
    store.fail(None);
    quota.settle().await.unwrap();
    assert_eq!(store.used(owner, NOVEMBER).await.unwrap(), 2);
}

#[tokio::test]
async fn a_refused_lease_is_not_in_doubt() {
    let store = Arc::new(MemoryStore::new());
    let quota = quota_in(&store).await;
    store.fail(StoreErrorKind::Unwritable);
    for _ in 0..3 {
        assert!(matches!(quota.spend(1, &large(), NOVEMBER, START).await, Err(ChargeError::Store(_))));
    }
    store.fail(None);
    quota.spend(1, &large(), NOVEMBER, START).await.unwrap();
    assert!(quota.unspent(NOVEMBER) > 9_000, "the next lease is of a whole block");
}

#[tokio::test]
async fn a_caller_that_leaves_before_its_lease_begins_is_charged_nothing() {
    let store = Arc::new(MemoryStore::new());
    let account = account(&store).await;
    let quota = quota(account.id, store.clone());
    let plan = large();
    {
        let mut spending = std::pin::pin!(quota.spend(1, &plan, NOVEMBER, START));
        assert!(spending.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    settled().await;
    assert_eq!((store.used(account.id, NOVEMBER).await.unwrap(), quota.unspent(NOVEMBER)), (0, 0));
}

async fn settled() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn callers_that_leave_in_the_queue_take_no_lease() {
    let ledger = Gated::new(false);
    let quota = quota(AccountId(1), ledger.clone());
    let call = || {
        let quota = Arc::clone(&quota);
        async move { quota.spend(1, &small(), NOVEMBER, START).await.is_ok() }
    };
    let first = tokio::spawn(call());
    settled().await;
    let mut leaving = JoinSet::new();
    for _ in 0..50 {
        leaving.spawn(call());
    }
    settled().await;
    let patient = tokio::spawn(call());
    settled().await;
    leaving.shutdown().await;
    ledger.gate.add_permits(1_000);
    assert!(first.await.unwrap() && patient.await.unwrap());
    settled().await;
    assert_eq!(ledger.asked.load(Ordering::SeqCst), 2, "only the two callers that stayed");
    quota.settle().await.unwrap();
    assert_eq!(ledger.used.load(Ordering::SeqCst), 2);
}

/// A ledger whose leases wait for permits, and then fail if the test says so.
pub(crate) struct Gated {
    pub(crate) asked: AtomicU64,
    pub(crate) used: AtomicU64,
    pub(crate) gate: Semaphore,
    fails: bool,
}

impl Gated {
    pub(crate) fn new(fails: bool) -> Arc<Self> {
        Arc::new(Self { asked: AtomicU64::new(0), used: AtomicU64::new(0), gate: Semaphore::new(0), fails })
    }
}

#[async_trait]
impl UsageLedger for Gated {
    async fn lease(&self, _: AccountId, _: Period, _: u64, want: u64) -> Result<Lease, StoreError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.gate.acquire().await.unwrap().forget();
        if self.fails {
            return Err(StoreError::new(StoreErrorKind::Unavailable));
        }
        let used = self.used.fetch_add(want, Ordering::SeqCst) + want;
        Ok(Lease { granted: want, used })
    }

    async fn settle(&self, _: AccountId, _: Period, unused: u64) -> Result<(), StoreError> {
        self.used.fetch_sub(unused, Ordering::SeqCst);
        Ok(())
    }

    async fn used(&self, _: AccountId, _: Period) -> Result<u64, StoreError> {
        Ok(self.used.load(Ordering::SeqCst))
    }
}

/// A ledger that takes a while to tell the used queries.
struct SlowToTell(Arc<MemoryStore>);

#[async_trait]
impl UsageLedger for SlowToTell {
    async fn lease(&self, account: AccountId, period: Period, limit: u64, want: u64) -> Result<Lease, StoreError> {
        self.0.lease(account, period, limit, want).await
    }

    async fn settle(&self, account: AccountId, period: Period, unused: u64) -> Result<(), StoreError> {
        self.0.settle(account, period, unused).await
    }

    async fn used(&self, account: AccountId, period: Period) -> Result<u64, StoreError> {
        sleep(Duration::from_millis(100)).await;
        self.0.used(account, period).await
    }
}

#[test]
fn a_lease_that_has_begun_outlives_the_runtime_of_its_caller() {
    let server = runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let store = Arc::new(MemoryStore::new());
    let owner = server.block_on(account(&store)).id;
    let ledger = Arc::new(SlowToTell(Arc::clone(&store)));
    let quota = Arc::new(Quota::new(owner, Arc::new(Leases::new(ledger, server.handle().clone())), START));
    let caller = runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let plan = large();
    let spent =
        caller.block_on(async { timeout(Duration::from_millis(20), quota.spend(1, &plan, NOVEMBER, START)).await });
    assert!(spent.is_err(), "the caller leaves while the ledger is asked");
    drop(caller);
    let left = server.block_on(quota.spend(1, &large(), NOVEMBER, START)).unwrap();
    assert_eq!(left, 999_998, "the first lease is charged, and the second call spends from its block");
}
