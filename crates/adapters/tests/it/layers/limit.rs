//! Places are bounded, the wait for one is bounded, and no place is ever lost.

use std::sync::Arc;

use kuraka_adapters::layers::{Layered, Limit, limit};
use kuraka_ports::{SourceErrorKind, TaxpayerSource};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use super::{SECOND, kind_of_failure, known, page, try_once};

#[tokio::test(start_paused = true)]
async fn without_a_place_a_call_is_held_back_after_a_short_wait() {
    let page = page();
    page.hang(true);
    for (limit, wait) in [(Limit::new(2), limit::WAIT), (Limit::for_last_source(2), limit::LAST_WAIT)] {
        let limited = Arc::new(Layered::new(limit, page.clone()));
        let mut callers = JoinSet::new();
        for _ in 0..2 {
            let limited = Arc::clone(&limited);
            callers.spawn(async move { limited.detail(known().ruc).await });
        }
        tokio::task::yield_now().await;
        let begun = Instant::now();
        assert_eq!(kind_of_failure(&*limited).await, SourceErrorKind::HeldBack);
        assert_eq!((begun.elapsed(), page.in_flight()), (wait, 2));
        callers.shutdown().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_finds_a_place_in_time_is_served() {
    let page = page();
    page.delay(limit::WAIT / 2);
    let limited = Layered::new(Limit::new(1), page);
    let ((one, _), (two, took)) = tokio::join!(try_once(&limited), try_once(&limited));
    assert!(one && two);
    assert_eq!(took, limit::WAIT);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_gives_its_place_back() {
    let page = page();
    let limited = Layered::new(Limit::new(1), page.clone());
    page.hang(true);
    for _ in 0..10 {
        timeout(SECOND, limited.detail(known().ruc)).await.unwrap_err();
    }
    page.hang(false);
    assert!(try_once(&limited).await.0);
    assert_eq!(page.in_flight(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_call_dropped_in_the_queue_gives_its_turn_back() {
    let page = page();
    page.delay(limit::WAIT / 2);
    let limited = Layered::new(Limit::new(1), page.clone());
    let impatient = timeout(limit::WAIT / 4, limited.detail(known().ruc));
    let (served, impatient, after) = tokio::join!(try_once(&limited), impatient, try_once(&limited));
    assert!(served.0 && impatient.is_err() && after.0);
    assert_eq!(page.asked().len(), 2);
}
