//! The bound on the calls in progress of an operation. Time is paused, so waits are exact.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kuraka_app::{Admission, AuthenticateError, ConcurrencyLimit};
use kuraka_ports::SourceLoad;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::fixture::{TestApp, plan};

const WAIT: Duration = Duration::from_millis(25);

#[tokio::test(start_paused = true)]
async fn a_call_without_a_place_is_refused_after_a_short_wait() {
    let limit = ConcurrencyLimit::new(2);
    let (one, two) = (limit.acquire().await.unwrap(), limit.acquire().await.unwrap());
    let began = Instant::now();
    assert!(limit.acquire().await.is_none());
    assert_eq!((began.elapsed(), limit.in_progress(), limit.refused()), (WAIT, 2, 1));
    drop(one);
    let began = Instant::now();
    assert!(limit.acquire().await.is_some());
    assert_eq!((began.elapsed(), limit.in_progress()), (Duration::ZERO, 1));
    drop(two);
    assert_eq!((limit.in_progress(), limit.refused()), (0, 1));
}

#[tokio::test(start_paused = true)]
async fn a_free_place_goes_to_a_waiting_call_at_once() {
    let limit = Arc::new(ConcurrencyLimit::new(1));
    let held = limit.acquire().await.unwrap();
    let waiting = tokio::spawn({
        let limit = Arc::clone(&limit);
        async move {
            let began = Instant::now();
            limit.acquire().await.map(|_| began.elapsed())
        }
    });
    sleep(Duration::from_millis(10)).await;
    drop(held);
    assert_eq!(waiting.await.unwrap(), Some(Duration::from_millis(10)));
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_leaves_while_it_waits_takes_no_place() {
    let limit = Arc::new(ConcurrencyLimit::new(1));
    let held = limit.acquire().await.unwrap();
    let mut waiting = JoinSet::new();
    for _ in 0..10 {
        let limit = Arc::clone(&limit);
        waiting.spawn(async move { limit.acquire().await.is_some() });
    }
    sleep(Duration::from_millis(1)).await;
    waiting.shutdown().await;
    drop(held);
    assert_eq!(limit.in_progress(), 0);
    assert!(limit.acquire().await.is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_bound_holds_and_no_place_is_lost() {
    const LIMIT: usize = 4;
    let limit = Arc::new(ConcurrencyLimit::new(LIMIT));
    let (inside, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let mut calls = JoinSet::new();
    for _ in 0..32 {
        let (limit, inside, most) = (Arc::clone(&limit), Arc::clone(&inside), Arc::clone(&most));
        calls.spawn(async move {
            for _ in 0..500 {
                let Some(_place) = limit.acquire().await else { continue };
                most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                inside.fetch_sub(1, Ordering::SeqCst);
            }
        });
    }
    calls.join_all().await;
    assert_eq!((most.load(Ordering::SeqCst), limit.in_progress()), (LIMIT, 0));
}

#[tokio::test(start_paused = true)]
async fn busy_sources_refuse_further_requests() {
    let (load, watched) = watch::channel(SourceLoad::default());
    let limit = ConcurrencyLimit::new(2_048).for_sources(watched, 32, 40);
    // Nothing is known of the requests yet, so the calls on their way are not counted.
    let mut held = Vec::new();
    for _ in 0..40 {
        held.push(limit.acquire().await.unwrap());
    }
    // All of them have reached the sources: 32 are served, 8 wait.
    load.send_replace(SourceLoad { callers: 40, requests: 40 });
    assert!(limit.acquire().await.is_none());
    // One has been answered; then one call is on its way, and the next would be too many.
    held.pop();
    load.send_replace(SourceLoad { callers: 39, requests: 39 });
    held.push(limit.acquire().await.unwrap());
    assert!(limit.acquire().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn requests_that_end_together_do_not_lift_the_bound() {
    let (load, watched) = watch::channel(SourceLoad::default());
    let limit = ConcurrencyLimit::new(2_048).for_sources(watched, 10, 12);
    let mut held = Vec::new();
    for _ in 0..12 {
        held.push(limit.acquire().await.unwrap());
    }
    load.send_replace(SourceLoad { callers: 12, requests: 12 });
    assert!(limit.acquire().await.is_none());
    // Four have ended, and four calls are on their way.
    held.truncate(8);
    load.send_replace(SourceLoad { callers: 8, requests: 8 });
    for _ in 0..4 {
        held.push(limit.acquire().await.unwrap());
    }
    assert!(limit.acquire().await.is_none());
    // Half of the slots are free: nothing is known of further calls.
    held.truncate(5);
    load.send_replace(SourceLoad { callers: 5, requests: 5 });
    for _ in 0..40 {
        held.push(limit.acquire().await.unwrap());
    }
}

#[tokio::test(start_paused = true)]
async fn an_ended_request_admits_a_waiting_call_at_once() {
    let (load, watched) = watch::channel(SourceLoad { callers: 2, requests: 2 });
    let limit = Arc::new(ConcurrencyLimit::new(100).for_sources(watched, 1, 2));
    let waiting = tokio::spawn({
        let limit = Arc::clone(&limit);
        async move {
            let began = Instant::now();
            limit.acquire().await.map(|_| began.elapsed())
        }
    });
    sleep(Duration::from_millis(10)).await;
    load.send_replace(SourceLoad { callers: 1, requests: 1 });
    assert_eq!(waiting.await.unwrap(), Some(Duration::from_millis(10)));
}

#[tokio::test(start_paused = true)]
async fn calls_that_share_a_request_count_once() {
    let (load, watched) = watch::channel(SourceLoad::default());
    let limit = ConcurrencyLimit::new(2_048).for_sources(watched, 32, 40);
    let mut held = Vec::new();
    for callers in 0..2_048 {
        load.send_replace(SourceLoad { callers, requests: callers.min(32) });
        held.push(limit.acquire().await.unwrap());
    }
    assert!(limit.acquire().await.is_none(), "the bound on all calls still holds");
}

#[tokio::test(start_paused = true)]
async fn a_call_without_a_place_costs_the_store_nothing() {
    let app = TestApp::with(&[plan("free", 1_000, 5, 10)]).await;
    let admission = Admission::new(app.credentials.clone(), app.clock.clone());
    let limit = ConcurrencyLimit::new(1);
    let token = app.token.reveal().as_bytes();
    let held = limit.acquire().await.unwrap();
    let asked = app.store.asked();
    assert!(matches!(admission.authenticate(token, &limit, || None).await, Err(AuthenticateError::Overloaded)));
    assert_eq!(app.store.asked(), asked);
    // A malformed token is refused without a place, even while all are taken.
    let began = Instant::now();
    let refused = admission.authenticate(b"kur_x", &limit, || None).await;
    assert!(matches!(refused, Err(AuthenticateError::NotGenuine)));
    assert_eq!(began.elapsed(), Duration::ZERO);
    drop(held);
    let (_, place) = admission.authenticate(token, &limit, || None).await.unwrap();
    assert_eq!(limit.in_progress(), 1);
    drop(place);
    assert_eq!(limit.in_progress(), 0);
}
