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
mod vouchers;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use kuraka_adapters::layers::{CallResult, Jitter, LayerContext, Observer};
use kuraka_domain::{Ruc, TaxpayerDetail};
use kuraka_ports::contract::samples::{NOW, detail};
use kuraka_ports::fake::{ScriptedSource, TokioClock};
use kuraka_ports::{Clock, DetailOrigin, SourceError, SourceErrorKind, TaxpayerSource};
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

/// A RUC that no source knows.
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

/// A clock that follows tokio's paused time.
fn clock() -> Arc<dyn Clock> {
    Arc::new(TokioClock::at(NOW))
}

/// No jitter: breakers stay open as long as they may, and no cached answer lives longer or shorter than set.
fn steady() -> Arc<Jitter> {
    Arc::new(Jitter::new(|| u32::MAX))
}

fn layer_context(observer: Arc<dyn Observer>) -> LayerContext {
    LayerContext { clock: clock(), jitter: steady(), observer, runtime: Handle::current() }
}

/// Writes down how calls ended.
#[derive(Default)]
struct Notebook(Mutex<Vec<(String, CallResult, Duration)>>);

impl Notebook {
    fn notes(&self) -> Vec<(String, CallResult, Duration)> {
        self.0.lock().unwrap().clone()
    }
}

impl Observer for Notebook {
    fn observe(&self, source: &str, outcome: CallResult, latency: Duration) {
        self.0.lock().unwrap().push((source.to_owned(), outcome, latency));
    }
}

/// The kind with which a request for the known taxpayer fails.
async fn kind_of_failure(source: &dyn TaxpayerSource) -> SourceErrorKind {
    failure(source).await.kind
}

/// The error with which a request for the known taxpayer fails.
async fn failure(source: &dyn TaxpayerSource) -> SourceError {
    source.detail(known().ruc).await.unwrap_err()
}

/// Whether a request for the known taxpayer is answered, and how long either took.
async fn try_once(source: &dyn TaxpayerSource) -> (bool, Duration) {
    try_for(source, known().ruc).await
}

/// Whether a request for this RUC is answered, and how long it took.
async fn try_for(source: &dyn TaxpayerSource, ruc: Ruc) -> (bool, Duration) {
    let begun = Instant::now();
    (source.detail(ruc).await.is_ok(), begun.elapsed())
}

/// The cause of an error, if it is of this type.
fn cause<E: std::error::Error + Copy + 'static>(error: &SourceError) -> Option<E> {
    error.cause.as_ref().and_then(|cause| cause.downcast_ref::<E>()).copied()
}
