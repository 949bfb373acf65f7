//! Callers that leave: one that still waits for its turn takes no lease; a lease that has begun is kept for the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use kuraka_ports::{AccountId, Lease, Period, StoreError, UsageLedger};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::quota::{NOVEMBER, START, quota, small};

/// A ledger that answers a lease when the test permits it.
struct Gated {
    asked: AtomicU64,
    used: AtomicU64,
    gate: Semaphore,
}

#[async_trait]
impl UsageLedger for Gated {
    async fn lease(&self, _: AccountId, _: Period, _: u64, want: u64) -> Result<Lease, StoreError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.gate.acquire().await.unwrap().forget();
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

async fn settled() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn callers_that_leave_in_the_queue_take_no_lease() {
    let ledger = Arc::new(Gated { asked: AtomicU64::new(0), used: AtomicU64::new(0), gate: Semaphore::new(0) });
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
