//! The breaker stops asking a source that does not answer, and asks again later.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::layers::breaker::{BreakerOpenError, Machine, Verdict, classify};
use kuraka_adapters::layers::{Breaker, BreakerState, Jitter, Layered, Limit};
use kuraka_domain::Ruc;
use kuraka_ports::fake::ScriptedSource;
use kuraka_ports::{DetailAnswer, SourceError, SourceErrorKind, TaxpayerSource};
use tokio::time::{advance, timeout};

use super::{SECOND, UNAVAILABLE, absent, cause, clock, failure, kind_of_failure, known, page, steady, try_once};

const UNREADABLE: SourceErrorKind = SourceErrorKind::Unreadable;

/// A page behind a breaker.
struct Pages {
    breaker: Arc<Breaker>,
    guarded: Layered<Arc<Breaker>, dyn TaxpayerSource>,
}

fn with(source: Arc<dyn TaxpayerSource>, jitter: Arc<Jitter>) -> Pages {
    let breaker = Arc::new(Breaker::new("page", Machine::FIRST_OPEN, clock(), jitter));
    Pages { guarded: Layered::new(Arc::clone(&breaker), source), breaker }
}

fn around(source: Arc<dyn TaxpayerSource>) -> Pages {
    with(source, steady())
}

impl Pages {
    fn state(&self) -> BreakerState {
        self.breaker.state()
    }
}

#[async_trait::async_trait]
impl TaxpayerSource for Pages {
    fn name(&self) -> &str {
        self.guarded.name()
    }

    async fn detail(&self, ruc: Ruc) -> Result<DetailAnswer, SourceError> {
        self.guarded.detail(ruc).await
    }
}

/// A page that has failed until its breaker opened, and the breaker.
async fn opened() -> (Arc<ScriptedSource>, Pages) {
    let page = page();
    let breaker = around(page.clone());
    page.fail(UNAVAILABLE);
    ask(&breaker, 5).await;
    assert_eq!(breaker.state(), BreakerState::Open);
    (page, breaker)
}

async fn ask(breaker: &Pages, times: usize) {
    for _ in 0..times {
        let _ = breaker.detail(known().ruc).await;
    }
}

#[tokio::test(start_paused = true)]
async fn five_failures_in_a_row_open_the_breaker() {
    let page = page();
    let breaker = around(page.clone());
    page.fail(UNAVAILABLE);
    ask(&breaker, 4).await;
    assert_eq!(breaker.state(), BreakerState::Closed);
    ask(&breaker, 1).await;
    assert_eq!(breaker.state(), BreakerState::Open);
    page.fail(None);
    advance(SECOND).await;
    let error = failure(&breaker).await;
    assert_eq!((error.kind, cause(&error)), (UNAVAILABLE, Some(BreakerOpenError { retry_in: Some(14 * SECOND) })));
    assert_eq!(page.asked().len(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_success_resets_the_count_of_failures() {
    let page = page();
    let breaker = around(page.clone());
    page.fail_for(known().ruc, UNAVAILABLE);
    ask(&breaker, 4).await;
    breaker.detail(absent()).await.unwrap();
    ask(&breaker, 4).await;
    assert_eq!(breaker.state(), BreakerState::Closed);
}

#[tokio::test(start_paused = true)]
async fn five_failures_in_ten_recent_calls_open_the_breaker() {
    for (pause, expected) in [(3 * SECOND, BreakerState::Open), (4 * SECOND, BreakerState::Closed)] {
        let page = page();
        let breaker = around(page.clone());
        page.fail_for(known().ruc, UNAVAILABLE);
        for _ in 0..5 {
            breaker.detail(absent()).await.unwrap();
            advance(pause).await;
            ask(&breaker, 1).await;
            advance(pause).await;
        }
        assert_eq!(breaker.state(), expected, "a call every {pause:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn three_distrusted_answers_open_the_breaker_for_five_minutes() {
    for kind in [UNREADABLE, SourceErrorKind::Refused, SourceErrorKind::Credentials] {
        let page = page();
        let breaker = around(page.clone());
        page.fail(kind);
        ask(&breaker, 2).await;
        assert_eq!(breaker.state(), BreakerState::Closed);
        ask(&breaker, 1).await;
        advance(299 * SECOND).await;
        assert_eq!(breaker.state(), BreakerState::Open, "{kind:?}");
        advance(SECOND).await;
        assert_eq!(kind_of_failure(&breaker).await, kind);
        advance(299 * SECOND).await;
        assert_eq!(breaker.state(), BreakerState::Open, "after a probe that is {kind:?} too");
    }
}

#[tokio::test(start_paused = true)]
async fn a_throttling_source_is_not_asked_for_up_to_five_minutes() {
    let minute = 60 * SECOND;
    for (asked, expected) in [(Some(minute), minute), (Some(3_600 * SECOND), 300 * SECOND), (None, Machine::FIRST_OPEN)]
    {
        let page = page();
        let breaker = around(page.clone());
        page.fail(SourceErrorKind::Throttled { retry_after: asked });
        ask(&breaker, 1).await;
        assert_eq!(cause(&failure(&breaker).await), Some(BreakerOpenError { retry_in: Some(expected) }));
    }
}

#[tokio::test(start_paused = true)]
async fn one_successful_probe_closes_the_breaker() {
    let (page, breaker) = opened().await;
    page.fail(None);
    page.delay(SECOND);
    advance(Machine::FIRST_OPEN).await;
    assert_eq!(breaker.state(), BreakerState::HalfOpen);
    let (probe, other) = tokio::join!(breaker.detail(known().ruc), failure(&breaker));
    assert!(probe.is_ok());
    assert_eq!(cause(&other), Some(BreakerOpenError { retry_in: None }));
    assert_eq!(breaker.state(), BreakerState::Closed);
    assert!(try_once(&breaker).await.0);
}

#[tokio::test(start_paused = true)]
async fn failed_probes_double_the_open_time() {
    let (page, breaker) = opened().await;
    for seconds in [15, 30, 60, 120, 240, 300, 300] {
        advance(seconds * SECOND - Duration::from_millis(1)).await;
        assert_eq!(breaker.state(), BreakerState::Open, "before {seconds} s");
        advance(Duration::from_millis(1)).await;
        ask(&breaker, 1).await;
    }
    assert_eq!(page.asked().len(), 5 + 7);
    page.fail(None);
    advance(300 * SECOND).await;
    assert!(try_once(&breaker).await.0);
    page.fail(UNAVAILABLE);
    ask(&breaker, 5).await;
    assert_eq!(cause(&failure(&breaker).await), Some(BreakerOpenError { retry_in: Some(Machine::FIRST_OPEN) }));
}

#[tokio::test(start_paused = true)]
async fn jitter_shortens_the_open_time_and_never_lengthens_it() {
    let page = page();
    page.fail(UNREADABLE);
    let early = with(page, Arc::new(Jitter::new(|| 0)));
    ask(&early, 3).await;
    assert_eq!(cause(&failure(&early).await), Some(BreakerOpenError { retry_in: Some(270 * SECOND) }));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_probe_leaves_its_place_to_the_next_call() {
    let (page, breaker) = opened().await;
    page.fail(None);
    page.hang(true);
    advance(Machine::FIRST_OPEN).await;
    for _ in 0..3 {
        timeout(SECOND, breaker.detail(known().ruc)).await.unwrap_err();
        assert_eq!(breaker.state(), BreakerState::HalfOpen);
    }
    page.hang(false);
    assert!(try_once(&breaker).await.0);
    assert_eq!(breaker.state(), BreakerState::Closed);
}

#[tokio::test(start_paused = true)]
async fn dropped_calls_are_not_recorded() {
    let page = page();
    let breaker = around(page.clone());
    page.hang(true);
    for _ in 0..20 {
        timeout(SECOND, breaker.detail(known().ruc)).await.unwrap_err();
    }
    assert_eq!(breaker.state(), BreakerState::Closed);
    page.hang(false);
    page.fail(UNAVAILABLE);
    ask(&breaker, 4).await;
    assert_eq!(breaker.state(), BreakerState::Closed);
}

#[tokio::test(start_paused = true)]
async fn late_failures_of_earlier_calls_do_not_prolong_the_open_time() {
    let page = page();
    let breaker = Arc::new(around(page.clone()));
    page.fail(UNAVAILABLE);
    page.delay(10 * SECOND);
    let late = tokio::spawn({
        let breaker = Arc::clone(&breaker);
        async move { breaker.detail(known().ruc).await }
    });
    tokio::task::yield_now().await;
    page.delay(Duration::ZERO);
    ask(&breaker, 5).await;
    assert!(late.await.unwrap().is_err());
    assert_eq!(cause(&failure(&*breaker).await), Some(BreakerOpenError { retry_in: Some(5 * SECOND) }));
}

#[tokio::test(start_paused = true)]
async fn calls_held_back_by_our_limit_do_not_open_the_breaker() {
    let page = page();
    page.hang(true);
    let breaker = Arc::new(around(Arc::new(Layered::new(Limit::new(1), page.clone()))));
    let occupied = tokio::spawn({
        let breaker = Arc::clone(&breaker);
        async move { breaker.detail(known().ruc).await }
    });
    tokio::task::yield_now().await;
    ask(&breaker, 20).await;
    assert_eq!((breaker.state(), page.asked().len()), (BreakerState::Closed, 1));
    occupied.abort();
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
    assert_eq!(verdict(UNREADABLE), Some(Verdict::Distrusted));
    assert_eq!(verdict(SourceErrorKind::Credentials), Some(Verdict::Distrusted));
    assert_eq!(verdict(SourceErrorKind::Rejected), Some(Verdict::Healthy));
    assert_eq!(verdict(SourceErrorKind::HeldBack), None);
    assert_eq!(verdict(SourceErrorKind::UnverifiedAbsence), Some(Verdict::Healthy));
}
