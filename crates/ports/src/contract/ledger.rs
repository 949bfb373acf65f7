//! What [`UsageLedger`] promises.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::task::JoinSet;

use super::samples::{PERIOD, account};
use super::together;
use crate::{AccountId, Accounts, Lease, Period, StoreErrorKind, UsageLedger};

const CALLERS: u64 = 200;

/// Whatever the plan was before; a plan may become smaller or larger within a period.
pub async fn a_lease_is_what_the_limit_leaves<S: Accounts + UsageLedger>(store: Arc<S>) {
    for (number, leases) in (1..).zip([
        // Limit, wanted, granted, used.
        &[[100, 7, 7, 7], [100, 5, 5, 12]][..],
        &[[10, 64, 10, 10], [10, 1, 0, 10]],
        &[[10, 8, 8, 8], [10, 8, 2, 10]],
        &[[0, 1, 0, 0], [0, 1, 0, 0]],
        &[[100, 80, 80, 80], [50, 1, 0, 80]],
        &[[50, 50, 50, 50], [60, 64, 10, 60]],
        &[[u64::MAX, 1, 1, 1], [u64::MAX, 1_000, 1_000, 1_001]],
    ]) {
        let owner = account(&*store, number).await.id;
        assert_eq!(used(&*store, owner).await, 0, "of no other account");
        for [limit, want, granted, all] in leases.iter().copied() {
            let lease = lease(&*store, owner, limit, want).await;
            assert_eq!(lease, Lease { granted, used: all }, "{want} of {limit}");
            assert_eq!(used(&*store, owner).await, all);
        }
    }
    let unknown = AccountId(account(&*store, 99).await.id.0 + 1000);
    let refusal = store.lease(unknown, PERIOD, 10, 1).await.expect_err("no such account");
    assert_eq!(refusal.kind, StoreErrorKind::Missing);
}

/// A count below zero would grant more than the plan.
pub async fn settled_queries_can_be_leased_again<S: Accounts + UsageLedger>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    settle(&*store, owner, 3).await;
    assert_eq!(lease(&*store, owner, 10, 64).await, Lease { granted: 10, used: 10 });
    settle(&*store, owner, 4).await;
    assert_eq!(used(&*store, owner).await, 6);
    assert_eq!(lease(&*store, owner, 10, 10).await, Lease { granted: 4, used: 10 });
    settle(&*store, owner, u64::MAX).await;
    assert_eq!(used(&*store, owner).await, 0);
}

pub async fn periods_are_independent<S: Accounts + UsageLedger>(store: Arc<S>) {
    let owner = account(&*store, 1).await.id;
    let next = Period { year: PERIOD.year, month: PERIOD.month + 1 };
    lease(&*store, owner, 10, 10).await;
    assert_eq!(lease_of(&*store, owner, next, 10, 3).await, Lease { granted: 3, used: 3 });
    store.settle(owner, next, 1).await.expect("a store that answers");
    assert_eq!(store.used(owner, next).await.expect("a store that answers"), 2);
    assert_eq!(used(&*store, owner).await, 10);
}

/// A check followed by an update would break this promise.
pub async fn many_leasers_together_get_exactly_the_limit<S: Accounts + UsageLedger>(store: Arc<S>) {
    const LIMIT: u64 = 1_000;
    let owner = account(&*store, 1).await.id;
    let granted = together(&store, 0..CALLERS, |store, caller| async move {
        let (want, mut granted) = (1 + caller % 7, 0);
        loop {
            match lease(&*store, owner, LIMIT, want).await.granted {
                0 => return granted,
                more => granted += more,
            }
        }
    });
    let granted: u64 = granted.await.iter().sum();
    assert_eq!(granted, LIMIT);
    assert_eq!(used(&*store, owner).await, LIMIT);
}

/// A store may write leases of several accounts together: new rows, used-up plans, two months and missing accounts are
/// answered as if alone.
pub async fn accounts_that_lease_at_once_are_independent<S: Accounts + UsageLedger>(store: Arc<S>) {
    const ACCOUNTS: u32 = 20;
    const LIMIT: u64 = 50;
    let next = Period { year: PERIOD.year, month: PERIOD.month + 1 };
    let mut callers = JoinSet::new();
    for number in 1..=ACCOUNTS {
        let owner = account(&*store, number).await.id;
        if number % 2 == 0 {
            lease(&*store, owner, LIMIT, number.into()).await;
        }
        let before = if number % 2 == 0 { u64::from(number) } else { 0 };
        for caller in 0..6 {
            let store = Arc::clone(&store);
            callers.spawn(async move {
                let (period, mut granted) = (if caller % 2 == 0 { PERIOD } else { next }, 0);
                loop {
                    match lease_of(&*store, owner, period, LIMIT, 3).await {
                        Lease { granted: 0, used } => {
                            assert_eq!(used, LIMIT);
                            return (owner, caller % 2, granted, if caller % 2 == 0 { before } else { 0 });
                        }
                        lease => granted += lease.granted,
                    }
                }
            });
        }
        let (store, unknown) = (Arc::clone(&store), AccountId(owner.0 + 1_000));
        callers.spawn(async move {
            let refusal = store.lease(unknown, PERIOD, LIMIT, 1).await.expect_err("no such account");
            assert_eq!(refusal.kind, StoreErrorKind::Missing);
            (unknown, 0, LIMIT, 0)
        });
    }
    let mut totals = BTreeMap::new();
    for (owner, period, granted, before) in callers.join_all().await {
        *totals.entry((owner, period)).or_insert(before) += granted;
    }
    assert_eq!(totals.len(), 3 * ACCOUNTS as usize);
    assert!(totals.values().all(|total| *total == LIMIT), "{totals:?}");
}

/// In any order, the used count is what was leased minus what was settled.
pub async fn many_leases_and_settlements_leave_an_exact_count<S: Accounts + UsageLedger>(store: Arc<S>) {
    const LIMIT: u64 = 100;
    // Each settlement waits for a connection of its own, which a busy machine does not have within a second for
    // [`CALLERS`] at once.
    const SETTLERS: u64 = 40;
    let owner = account(&*store, 1).await.id;
    let kept = together(&store, 0..SETTLERS, |store, caller| async move {
        let mut kept = 0;
        for _ in 0..5 {
            let lease = lease(&*store, owner, LIMIT, 4).await;
            assert!(lease.used <= LIMIT, "{} of {LIMIT} used", lease.used);
            let unused = lease.granted * (caller % 3) / 2;
            settle(&*store, owner, unused).await;
            kept += lease.granted - unused;
        }
        kept
    });
    let kept: u64 = kept.await.iter().sum();
    assert!(kept <= LIMIT, "{kept} of {LIMIT} kept");
    assert_eq!(used(&*store, owner).await, kept);
}

async fn lease<S: UsageLedger>(store: &S, owner: AccountId, limit: u64, want: u64) -> Lease {
    lease_of(store, owner, PERIOD, limit, want).await
}

/// A store may refuse a lease before it begins, because too many wait. Then it is asked again.
async fn lease_of<S: UsageLedger>(store: &S, owner: AccountId, period: Period, limit: u64, want: u64) -> Lease {
    for _ in 0..100 {
        match store.lease(owner, period, limit, want).await {
            Err(refusal) if refusal.kind == StoreErrorKind::Unavailable && refusal.had_no_effect() => {}
            done => return done.expect("an account that exists"),
        }
    }
    panic!("the store takes no lease")
}

async fn settle<S: UsageLedger>(store: &S, owner: AccountId, unused: u64) {
    store.settle(owner, PERIOD, unused).await.expect("a store that answers");
}

async fn used<S: UsageLedger>(store: &S, owner: AccountId) -> u64 {
    store.used(owner, PERIOD).await.expect("a store that answers")
}
