//! A store whose runtime has stopped: no caller waits for its answer.

use std::pin::pin;

use futures_util::FutureExt;
use futures_util::future::join_all;
use kuraka_ports::UsageLedger;
use kuraka_ports::contract::samples::{PERIOD, account};
use tokio::runtime::Builder;
use tokio::task::yield_now;

use super::{sqlite, stranger};

#[test]
fn a_stopped_runtime_fails_all_leases_at_once() {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let (store, _folder, owners, _lock) = runtime.block_on(async {
        let (store, folder) = sqlite().await;
        let owners = [account(&*store, 1).await.id, account(&*store, 2).await.id, account(&*store, 3).await.id];
        let mut lock = stranger(&folder).await;
        sqlx::query("BEGIN IMMEDIATE").execute(&mut lock).await.unwrap();
        (store, folder, owners, lock)
    });
    let lease = |of: usize| store.lease(owners[of], PERIOD, 10, 1);
    let mut written = pin!(join_all([lease(0), lease(1)]));
    assert!(written.as_mut().now_or_never().is_none());
    // Their statement begins, and waits for the lock.
    runtime.block_on(yield_now());
    let mut waiting = pin!(lease(2));
    assert!(waiting.as_mut().now_or_never().is_none());

    drop(runtime);
    let mut outcomes = written.now_or_never().unwrap();
    outcomes.extend(waiting.now_or_never());
    outcomes.extend(lease(0).now_or_never());
    let failed = outcomes.iter().filter(|outcome| outcome.as_ref().is_err_and(|error| !error.had_no_effect()));
    assert_eq!((outcomes.len(), failed.count()), (4, 4), "{outcomes:?}");
}
