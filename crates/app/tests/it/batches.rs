//! Charges of several queries: all or none, never more than the plan.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use kuraka_app::quota::{ChargeError, Quota};
use kuraka_app::{AdmitError, Plan};
use kuraka_ports::fake::MemoryStore;
use kuraka_ports::{StoreErrorKind, UsageLedger};
use proptest::prelude::*;
use tokio::task::JoinSet;

use crate::fixture::{DETAIL, TestApp, plan};
use crate::quota::{NOVEMBER, START, account, large, quota, quota_in, small};

/// Charges a batch; returns the queries left, also as the error.
async fn spend(quota: &Arc<Quota>, plan: &Arc<Plan>, queries: u64) -> Result<u64, u64> {
    match quota.spend(queries, plan, NOVEMBER, START).await {
        Ok(left) => Ok(left),
        Err(ChargeError::Exhausted { left }) => Err(left),
        Err(ChargeError::Store(error)) => panic!("{error}"),
    }
}

#[tokio::test]
async fn a_batch_is_spent_from_the_held_block_without_a_lease() {
    let store = Arc::new(MemoryStore::new());
    let quota = quota_in(&store).await;
    spend(&quota, &large(), 1).await.unwrap();
    let asked = store.asked();
    assert_eq!(spend(&quota, &large(), 5_000).await, Ok(994_999));
    assert_eq!(store.asked(), asked);
    // More than the block held, and more than any block.
    assert_eq!(spend(&quota, &large(), 200_000).await, Ok(794_999));
}

#[tokio::test]
async fn a_failed_batch_takes_nothing_from_another_server() {
    let store = Arc::new(MemoryStore::new());
    let owner = account(&store).await.id;
    let (one, other) = (quota(owner, store.clone()), quota(owner, store.clone()));
    spend(&one, &small(), 600).await.unwrap();
    assert_eq!(spend(&other, &small(), 500).await, Err(400));
    assert_eq!(spend(&one, &small(), 400).await, Ok(0));
}

/// Many callers of several servers charge batches of all sizes until little is left.
async fn crowd(plan: Arc<Plan>, servers: usize) {
    let store = Arc::new(MemoryStore::new());
    let owner = account(&store).await.id;
    let quotas: Vec<_> = (0..servers).map(|_| quota(owner, store.clone())).collect();
    let smallest_refused = Arc::new(AtomicU64::new(u64::MAX));
    let mut callers = JoinSet::new();
    for caller in 0..60_u64 {
        let (quota, plan) = (Arc::clone(&quotas[caller as usize % servers]), Arc::clone(&plan));
        let smallest_refused = Arc::clone(&smallest_refused);
        callers.spawn(async move {
            let mut granted = 0;
            for round in 0..40 {
                let queries = 1 + (caller * 31 + round * 17) % (plan.queries / 20);
                match spend(&quota, &plan, queries).await {
                    Ok(_) => granted += queries,
                    Err(left) => {
                        assert!(left < queries, "{left} left, {queries} refused");
                        smallest_refused.fetch_min(queries, Ordering::Relaxed);
                    }
                }
                if round % 10 == caller % 10 {
                    quota.settle().await.unwrap();
                }
            }
            granted
        });
    }
    let granted: u64 = callers.join_all().await.iter().sum();
    for quota in &quotas {
        quota.settle().await.unwrap();
    }
    assert_eq!(store.used(owner, NOVEMBER).await.unwrap(), granted, "what was granted is what is used");
    assert!(granted <= plan.queries, "{granted} of {}", plan.queries);
    if servers == 1 {
        assert!(plan.queries - granted < smallest_refused.load(Ordering::Relaxed), "refused although it was left");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn batches_of_many_callers_never_exceed_the_plan() {
    for queries in [1_000, 50_000] {
        for servers in [1, 3] {
            crowd(Arc::new(plan("p", queries, 1, 1)), servers).await;
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Spend(u64),
    Refund(u64),
    Settle,
    Unreachable(u64),
}

fn step() -> impl Strategy<Value = Step> {
    let size = prop_oneof![Just(1), 1_u64..50, 1_u64..30_000];
    prop_oneof![
        6 => size.clone().prop_map(Step::Spend),
        1 => size.clone().prop_map(Step::Refund),
        1 => Just(Step::Settle),
        1 => size.prop_map(Step::Unreachable),
    ]
}

proptest! {
    /// Against a counter: a batch is admitted exactly if the plan has so many left.
    #[test]
    fn a_single_server_admits_exactly_what_the_plan_has_left(
        queries in prop_oneof![1_u64..100, 10_000_u64..60_000],
        steps in proptest::collection::vec(step(), 1..60),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let store = Arc::new(MemoryStore::new());
            let owner = account(&store).await.id;
            let (quota, plan) = (quota(owner, store.clone()), Arc::new(plan("p", queries, 1, 1)));
            let mut left = queries;
            for step in steps {
                match step {
                    Step::Spend(size) if size <= left => {
                        left -= size;
                        prop_assert_eq!(spend(&quota, &plan, size).await, Ok(left));
                    }
                    Step::Spend(size) => prop_assert_eq!(spend(&quota, &plan, size).await, Err(left)),
                    Step::Refund(size) => {
                        let size = size.min(queries - left);
                        if size > 0 {
                            quota.refund(NOVEMBER, size);
                            left += size;
                        }
                    }
                    Step::Settle => quota.settle().await.unwrap(),
                    Step::Unreachable(size) => {
                        store.fail(StoreErrorKind::Unavailable);
                        if quota.spend(size, &plan, NOVEMBER, START).await.is_ok() {
                            left -= size;
                        }
                        store.fail(None);
                    }
                }
            }
            quota.settle().await.unwrap();
            prop_assert_eq!(store.used(owner, NOVEMBER).await.unwrap(), queries - left);
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn the_price_of_a_call_is_read_once_the_rate_allows_it() {
    let app = TestApp::with(&[plan("free", 1_000, 1, 1)]).await;
    let caller = app.caller().await.unwrap();
    app.admission.admit(Arc::clone(&caller), DETAIL, || 1).await.unwrap();
    let refusal = app.admission.admit(caller, DETAIL, || panic!("the price was read")).await;
    assert!(matches!(refusal, Err(AdmitError::TooFast { .. })));
}

#[tokio::test]
async fn a_call_that_costs_nothing_asks_no_ledger() {
    let app = TestApp::with(&[plan("free", 1_000, 1, 1)]).await;
    let caller = app.caller().await.unwrap();
    let asked = app.store.asked();
    let call = app.admission.admit(Arc::clone(&caller), DETAIL, || 0).await.unwrap();
    assert_eq!((call.queries(), call.limits().left), (0, None));
    assert!(matches!(app.admission.admit(caller, DETAIL, || 0).await, Err(AdmitError::TooFast { .. })));
    assert_eq!(app.store.asked(), asked);
}
