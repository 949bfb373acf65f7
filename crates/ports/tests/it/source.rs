//! The controls of the scripted source, and the clock that follows tokio's timers.

use std::time::Duration;

use kuraka_ports::contract::samples::{NOW, detail};
use kuraka_ports::fake::{ScriptedSource, TokioClock};
use kuraka_ports::{Clock, DetailOrigin, SourceErrorKind, TaxpayerSource};
use tokio::time::{Instant, timeout};

#[tokio::test(start_paused = true)]
async fn a_slow_source_answers_after_its_delay() {
    let taxpayer = detail("20131312955", "UNO S.A.");
    let source = ScriptedSource::new("page", DetailOrigin::Official).with([taxpayer.clone()]);
    source.delay(Duration::from_secs(2));
    let asked = Instant::now();
    assert!(source.detail(taxpayer.ruc).await.unwrap().taxpayer.is_some());
    assert_eq!(asked.elapsed(), Duration::from_secs(2));
}

#[tokio::test(start_paused = true)]
async fn a_hung_source_never_answers_and_counts_waiting_calls() {
    let ruc = detail("20131312955", "UNO S.A.").ruc;
    let source = ScriptedSource::new("page", DetailOrigin::Official);
    source.hang(true);
    let mut question = source.detail(ruc);
    assert!(timeout(Duration::from_secs(86_400), &mut question).await.is_err());
    assert_eq!((source.in_flight(), source.asked()), (1, vec![ruc]));
    drop(question);
    assert_eq!(source.in_flight(), 0);
    source.hang(false);
    assert_eq!(source.detail(ruc).await.unwrap().taxpayer, None);
}

#[tokio::test]
async fn a_failing_source_fails_every_question() {
    let taxpayer = detail("20131312955", "UNO S.A.");
    let source = ScriptedSource::new("page", DetailOrigin::Official).with([taxpayer.clone()]);
    source.fail(SourceErrorKind::Refused);
    assert_eq!(source.detail(taxpayer.ruc).await.unwrap_err().kind, SourceErrorKind::Refused);
    source.fail(None);
    assert!(source.detail(taxpayer.ruc).await.unwrap().taxpayer.is_some());
}

#[tokio::test(start_paused = true)]
async fn the_tokio_clock_follows_paused_time() {
    let clock = TokioClock::at(NOW);
    tokio::time::advance(Duration::from_secs(90)).await;
    assert_eq!(clock.monotonic(), Duration::from_secs(90));
    assert_eq!(clock.now().duration_since(NOW).as_secs(), 90);
}
