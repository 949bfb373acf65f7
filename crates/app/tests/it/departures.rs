//! Callers that leave while they lease queries: one that still waits for its turn takes no lease; a lease that has begun
//! is kept for the next.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Waker};
use std::time::Duration;

use async_trait::async_trait;
use kuraka_app::quota::{Leases, Quota};
use kuraka_ports::fake::MemoryStore;
use kuraka_ports::{AccountId, Lease, Period, StoreError, UsageLedger};
use tokio::runtime;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::quota::{Gated, NOVEMBER, START, account, large, quota, small};

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
