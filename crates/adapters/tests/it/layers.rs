//! The layers around a scripted source, on paused time.

mod breaker;
mod cache;
mod coalesce;
mod contract;
mod fallback;
mod jitter;
mod limit;
mod machine;
mod metered;
mod stack;
mod timeout;
mod verify_absence;
mod vouchers;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kuraka_adapters::layers::{Jitter, LayerContext, Observation, Observer, Outcome};
use kuraka_domain::{Date, DomicileCondition, Ruc, TaxpayerDetail, TaxpayerStatus, TaxpayerSummary};
use kuraka_ports::contract::samples::{NOW, detail};
use kuraka_ports::fake::{ScriptedRegistry, ScriptedSource, TokioClock};
use kuraka_ports::{Clock, DetailOrigin, Edition, EditionOrigin, SourceError, SourceErrorKind, TaxpayerSource};
use tokio::runtime::Handle;
use tokio::time::Instant;

const SECOND: Duration = Duration::from_secs(1);
const UNAVAILABLE: SourceErrorKind = SourceErrorKind::Unavailable;

/// The taxpayer that the scripted sources know.
fn known() -> TaxpayerDetail {
    detail("20131312955", "UNO S.A.")
}

/// Another one that they know.
fn other() -> TaxpayerDetail {
    detail("20100070970", "DOS S.A.")
}

/// A RUC that nobody knows.
fn absent() -> Ruc {
    Ruc::parse("20100017491").unwrap()
}

/// The official page.
fn page() -> Arc<ScriptedSource> {
    Arc::new(ScriptedSource::new("page", DetailOrigin::Official).with([known(), other()]))
}

/// A provider.
fn provider(name: &'static str) -> Arc<ScriptedSource> {
    Arc::new(ScriptedSource::new(name, DetailOrigin::Provider).with([known(), other()]))
}

/// A clock that goes with tokio's paused time.
fn clock() -> Arc<dyn Clock> {
    Arc::new(TokioClock::at(NOW))
}

/// No jitter: breakers stay open as long as they may, and no cached answer lives longer or shorter than set.
fn steady() -> Arc<Jitter> {
    Arc::new(Jitter::new(|| u32::MAX))
}

/// An edition of the day before [`NOW`], or of so many days before that.
fn edition(days_earlier: i32) -> Edition {
    let day = i32::try_from(NOW.as_second() / 86_400).unwrap() - 1 - days_earlier;
    Edition {
        label: "2026-11-17-00000000".into(),
        date: Date::from_days_since_epoch(day).unwrap(),
        origin: EditionOrigin::Published,
        rows: 1,
        lists: vec!["withholding", "good_taxpayers"],
    }
}

/// A registry with a fresh edition that knows these.
fn registry(taxpayers: &[Ruc]) -> Arc<ScriptedRegistry> {
    Arc::new(ScriptedRegistry::with(edition(0), taxpayers.iter().copied().map(summary)))
}

fn summary(ruc: Ruc) -> TaxpayerSummary {
    TaxpayerSummary {
        ruc,
        name: "TRES S.A.".to_owned(),
        status: TaxpayerStatus::Active,
        condition: DomicileCondition::Found,
        address: String::new(),
        department: "LIMA",
        withholding_agent: false,
        good_taxpayer: false,
    }
}

fn layer_context(observer: Arc<dyn Observer>) -> LayerContext {
    LayerContext {
        registry: registry(&[known().ruc]),
        max_age_days: Some(7),
        clock: clock(),
        jitter: steady(),
        observer,
        runtime: Handle::current(),
    }
}

/// Writes down how calls ended.
#[derive(Default)]
struct Notebook(Mutex<Vec<(String, Outcome, Duration)>>);

impl Notebook {
    fn notes(&self) -> Vec<(String, Outcome, Duration)> {
        self.0.lock().unwrap().clone()
    }
}

impl Observer for Notebook {
    fn observe(&self, call: Observation<'_>) {
        self.0.lock().unwrap().push((call.source.to_owned(), call.outcome, call.latency));
    }
}

/// The kind with which a question for the known taxpayer fails.
async fn kind_of_failure(source: &dyn TaxpayerSource) -> SourceErrorKind {
    failure(source).await.kind
}

/// The error with which a question for the known taxpayer fails.
async fn failure(source: &dyn TaxpayerSource) -> SourceError {
    source.detail(known().ruc).await.unwrap_err()
}

/// Whether a question for the known taxpayer is answered, and how long either took.
async fn try_once(source: &dyn TaxpayerSource) -> (bool, Duration) {
    try_for(source, known().ruc).await
}

/// The same for another RUC.
async fn try_for(source: &dyn TaxpayerSource, ruc: Ruc) -> (bool, Duration) {
    let begun = Instant::now();
    (source.detail(ruc).await.is_ok(), begun.elapsed())
}

/// What lies behind an error, if it is of this type.
fn cause<E: std::error::Error + Copy + 'static>(error: &SourceError) -> Option<E> {
    error.cause.as_ref().and_then(|cause| cause.downcast_ref::<E>()).copied()
}
