//! Sources are asked in order, in time, and never mixed.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::layers::Fallback;
use kuraka_adapters::layers::fallback::NoSourceError;
use kuraka_adapters::layers::timeout::TimeoutError;
use kuraka_ports::fake::ScriptedSource;
use kuraka_ports::{DetailOrigin, SourceErrorKind, TaxpayerSource};
use tokio::time::{Instant, timeout};

use super::{SECOND, UNAVAILABLE, absent, cause, failure, kind_of_failure, known, page, provider};

/// The page, two providers, and all of them behind a fallback with the house's deadline.
fn three() -> ([Arc<ScriptedSource>; 3], Fallback<dyn TaxpayerSource>) {
    let sources = [page(), provider("first"), provider("second")];
    let all = sources.iter().map(|source| Arc::clone(source) as Arc<dyn TaxpayerSource>).collect();
    (sources, Fallback::new(all, Fallback::DEADLINE))
}

fn asked(sources: &[Arc<ScriptedSource>; 3]) -> [usize; 3] {
    sources.each_ref().map(|source| source.asked().len())
}

#[tokio::test(start_paused = true)]
async fn no_source_is_asked_after_the_first_answer() {
    let (sources, fallback) = three();
    assert_eq!(fallback.detail(known().ruc).await.unwrap().origin, DetailOrigin::Official);
    assert_eq!(asked(&sources), [1, 0, 0]);
    sources[0].fail(SourceErrorKind::Refused);
    let answer = fallback.detail(known().ruc).await.unwrap();
    assert_eq!((answer.origin, answer.taxpayer.as_deref()), (DetailOrigin::Provider, Some(&known())));
    assert_eq!(asked(&sources), [2, 1, 0]);
}

#[tokio::test(start_paused = true)]
async fn an_absence_is_an_answer() {
    let (sources, fallback) = three();
    assert_eq!(fallback.detail(absent()).await.unwrap().taxpayer, None);
    assert_eq!(asked(&sources), [1, 0, 0]);
}

#[tokio::test(start_paused = true)]
async fn a_rejected_request_goes_to_no_other_source() {
    let (sources, fallback) = three();
    sources[0].fail(SourceErrorKind::Rejected);
    assert_eq!(kind_of_failure(&fallback).await, SourceErrorKind::Rejected);
    assert_eq!(asked(&sources), [1, 0, 0]);
}

#[tokio::test(start_paused = true)]
async fn the_most_useful_of_several_failures_is_returned() {
    let throttled = SourceErrorKind::Throttled { retry_after: None };
    let by_use =
        [UNAVAILABLE, throttled, SourceErrorKind::Refused, SourceErrorKind::Unreadable, SourceErrorKind::Credentials];
    for pair in by_use.windows(2) {
        for (first, second) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            let (sources, fallback) = three();
            sources[0].fail(first);
            sources[1].fail(second);
            sources[2].fail(UNAVAILABLE);
            assert_eq!(kind_of_failure(&fallback).await, pair[1], "{first:?}, then {second:?}");
            assert_eq!(asked(&sources), [1, 1, 1]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_of_equal_failures_is_returned() {
    let (sources, fallback) = three();
    for source in &sources {
        source.fail(SourceErrorKind::Unreadable);
    }
    assert_eq!(failure(&fallback).await.source, "second");
}

#[tokio::test(start_paused = true)]
async fn the_deadline_holds_whatever_the_sources_do() {
    let (sources, fallback) = three();
    sources[0].fail(UNAVAILABLE);
    sources[0].delay(6 * SECOND);
    sources[1].hang(true);
    let begun = Instant::now();
    let error = failure(&fallback).await;
    assert_eq!(begun.elapsed(), Fallback::DEADLINE);
    assert_eq!((&*error.source, cause(&error)), ("first", Some(TimeoutError { limit: 4 * SECOND })));
    assert_eq!((asked(&sources), sources[1].in_flight()), ([1, 1, 0], 0));
}

#[tokio::test(start_paused = true)]
async fn a_source_is_asked_only_with_half_a_second_left() {
    for (used, expected) in [(9_500, [1, 1, 0]), (9_501, [1, 0, 0])] {
        let (sources, fallback) = three();
        sources[0].fail(UNAVAILABLE);
        sources[0].delay(Duration::from_millis(used));
        assert_eq!(fallback.detail(known().ruc).await.is_ok(), expected[1] == 1);
        assert_eq!(asked(&sources), expected, "after {used} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_source_every_call_is_unavailable() {
    let error = failure(&Fallback::new(Vec::new(), SECOND)).await;
    assert_eq!((error.kind, cause::<NoSourceError>(&error).is_some()), (UNAVAILABLE, true));
}

#[tokio::test(start_paused = true)]
async fn after_a_dropped_call_no_further_source_is_asked() {
    let (sources, fallback) = three();
    sources[0].hang(true);
    timeout(SECOND, fallback.detail(known().ruc)).await.unwrap_err();
    assert_eq!((asked(&sources), sources[0].in_flight()), ([1, 0, 0], 0));
}
