//! The breaker stops asking a source that does not answer, and asks again later. What opens it, and for how long, is in
//! `machine.rs`.

use std::sync::Arc;

use kuraka_adapters::layers::breaker::{BreakerOpenError, Machine, Verdict, classify};
use kuraka_adapters::layers::{Breaker, BreakerState, Jitter, Layered};
use kuraka_ports::fake::ScriptedSource;
use kuraka_ports::{SourceError, SourceErrorKind, TaxpayerSource};
use tokio::time::{advance, timeout};

use super::{SECOND, UNAVAILABLE, cause, clock, failure, known, page, steady, try_once};

/// A page, the breaker before it, and both as one source.
type Guarded = (Arc<ScriptedSource>, Arc<Breaker>, Layered<Arc<Breaker>, ScriptedSource>);

fn guarded(jitter: Arc<Jitter>) -> Guarded {
    let (page, breaker) = (page(), Arc::new(Breaker::new("page", Machine::FIRST_OPEN, clock(), jitter)));
    (Arc::clone(&page), Arc::clone(&breaker), Layered::new(breaker, page))
}

/// The same after so many failures.
async fn failed(times: usize) -> Guarded {
    let (page, breaker, source) = guarded(steady());
    page.fail(UNAVAILABLE);
    for _ in 0..times {
        failure(&source).await;
    }
    page.fail(None);
    (page, breaker, source)
}

#[tokio::test(start_paused = true)]
async fn an_open_breaker_asks_nothing_and_says_when_it_will() {
    let (page, breaker, source) = failed(5).await;
    assert_eq!(breaker.state(), BreakerState::Open);
    advance(SECOND).await;
    let error = failure(&source).await;
    assert_eq!((error.kind, cause(&error)), (UNAVAILABLE, Some(BreakerOpenError { retry_in: Some(14 * SECOND) })));
    assert_eq!(page.asked().len(), 5);
}

#[tokio::test(start_paused = true)]
async fn one_successful_probe_closes_the_breaker() {
    let (page, breaker, source) = failed(5).await;
    page.delay(SECOND);
    advance(Machine::FIRST_OPEN).await;
    assert_eq!(breaker.state(), BreakerState::HalfOpen);
    let (probe, other) = tokio::join!(source.detail(known().ruc), failure(&source));
    assert!(probe.is_ok());
    assert_eq!(cause(&other), Some(BreakerOpenError { retry_in: None }));
    assert_eq!(breaker.state(), BreakerState::Closed);
    assert!(try_once(&source).await.0);
}

#[tokio::test(start_paused = true)]
async fn jitter_shortens_the_open_time_and_never_lengthens_it() {
    let (page, _, source) = guarded(Arc::new(Jitter::new(|| 0)));
    page.fail(SourceErrorKind::Unreadable);
    for _ in 0..3 {
        failure(&source).await;
    }
    assert_eq!(cause(&failure(&source).await), Some(BreakerOpenError { retry_in: Some(270 * SECOND) }));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_probe_leaves_its_place_to_the_next_call() {
    let (page, breaker, source) = failed(5).await;
    page.hang(true);
    advance(Machine::FIRST_OPEN).await;
    for _ in 0..3 {
        timeout(SECOND, source.detail(known().ruc)).await.unwrap_err();
        assert_eq!(breaker.state(), BreakerState::HalfOpen);
    }
    page.hang(false);
    assert!(try_once(&source).await.0);
    assert_eq!(breaker.state(), BreakerState::Closed);
}

#[tokio::test(start_paused = true)]
async fn dropped_calls_are_not_recorded() {
    let (page, breaker, source) = failed(4).await;
    page.hang(true);
    for _ in 0..20 {
        timeout(SECOND, source.detail(known().ruc)).await.unwrap_err();
    }
    assert_eq!(breaker.state(), BreakerState::Closed);
}

#[test]
fn each_end_of_a_call_has_its_verdict() {
    let verdict = |kind| classify::<()>(&Err(SourceError::new("page", kind)));
    let patience = Some(SECOND);
    assert_eq!(verdict(UNAVAILABLE), Some(Verdict::Failing));
    assert_eq!(
        verdict(SourceErrorKind::Throttled { retry_after: patience }),
        Some(Verdict::Throttling { retry_after: patience })
    );
    assert_eq!(verdict(SourceErrorKind::Refused), Some(Verdict::Distrusted));
    assert_eq!(verdict(SourceErrorKind::Unreadable), Some(Verdict::Distrusted));
    assert_eq!(verdict(SourceErrorKind::Credentials), Some(Verdict::Distrusted));
    assert_eq!(verdict(SourceErrorKind::Rejected), Some(Verdict::Healthy));
    assert_eq!(verdict(SourceErrorKind::HeldBack), None);
    assert_eq!(verdict(SourceErrorKind::UnverifiedAbsence), Some(Verdict::Healthy));
}
