//! What the service counts. Every label comes from a closed set, so that no caller can create a series.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use kuraka_adapters::layers::{BreakerState, Observation, Observer};
use kuraka_domain::ResultCode;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

/// What kind of request was answered: an operation of the table, or one of the three kinds beside them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    index: usize,
    name: &'static str,
}

impl Kind {
    /// A path or a method that does not exist.
    pub const OTHER: Self = Self { index: 0, name: "other" };
    /// The documents of the API, for programs and for people.
    pub const DOCS: Self = Self { index: 1, name: "docs" };
    /// Every other page.
    pub const PANEL: Self = Self { index: 2, name: "panel" };
    const BESIDE_OPERATIONS: [Self; 3] = [Self::OTHER, Self::DOCS, Self::PANEL];

    /// The operation with this index in the table, and its name.
    #[must_use]
    pub const fn of_operation(index: usize, name: &'static str) -> Self {
        Self { index: index + Self::BESIDE_OPERATIONS.len(), name }
    }

    /// The value of the label and of the log field `operation`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    operation: &'static str,
    code: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OperationLabels {
    operation: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct SourceLabels {
    source: String,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BreakerLabels {
    source: String,
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct EditionLabels {
    edition: String,
}

/// The counters of one kind of request.
struct KindMetrics {
    /// By code, in the order of its constants.
    answers: [Counter; ResultCode::ALL.len()],
    seconds: Histogram,
    gone: Counter,
}

/// The counters, and the registry that prints them.
pub struct Metrics {
    registry: Registry,
    /// By the index of the kind, so that no call needs a lookup.
    kinds: Vec<KindMetrics>,
    sources: Family<SourceLabels, Counter>,
    breakers: Family<BreakerLabels, Gauge>,
    edition: Family<EditionLabels, Gauge>,
    edition_rows: Gauge,
    edition_age_days: Gauge<i64>,
    store_errors: Counter,
    ready: Gauge<i64, std::sync::atomic::AtomicI64>,
}

impl Metrics {
    /// All at zero, for operations with these names.
    #[must_use]
    pub fn new(operations: impl IntoIterator<Item = &'static str>) -> Self {
        let mut registry = Registry::with_prefix("kuraka");
        let calls = Family::<CallLabels, Counter<u64, AtomicU64>>::default();
        let seconds = Family::<OperationLabels, Histogram>::new_with_constructor(|| {
            Histogram::new(exponential_buckets(0.000_025, 4.0, 12))
        });
        let left = Family::<OperationLabels, Counter>::default();
        let of_kind = |operation| KindMetrics {
            answers: ResultCode::ALL
                .map(|code| calls.get_or_create(&CallLabels { operation, code: code.as_str() }).clone()),
            seconds: seconds.get_or_create(&OperationLabels { operation }).clone(),
            gone: left.get_or_create(&OperationLabels { operation }).clone(),
        };
        let kinds = Kind::BESIDE_OPERATIONS.map(Kind::name).into_iter().chain(operations).map(of_kind).collect();
        let (sources, breakers, edition) = (Family::default(), Family::default(), Family::default());
        let (edition_rows, edition_age_days) = (Gauge::default(), Gauge::default());
        let (store_errors, ready) = (Counter::default(), Gauge::default());
        registry.register("answers", "Answers by operation and code", calls);
        registry.register_with_unit("answer", "Time to answer, by operation", Unit::Seconds, seconds);
        registry.register("callers_gone", "Calls whose caller went away before the answer, by operation", left);
        registry.register("source_calls", "Questions to sources by outcome", sources.clone());
        registry.register("breaker_state", "The state of a source's breaker, 1", breakers.clone());
        registry.register("registry_edition", "The edition that answers, 1", edition.clone());
        registry.register("registry_rows", "Taxpayers in the edition", edition_rows.clone());
        registry.register("registry_age_days", "Age of the edition in days", edition_age_days.clone());
        registry.register("store_errors", "Failed questions to the store outside of calls", store_errors.clone());
        registry.register("ready", "1 while the server is ready", ready.clone());
        Self { registry, kinds, sources, breakers, edition, edition_rows, edition_age_days, store_errors, ready }
    }

    /// Counts an answer.
    pub fn answered(&self, kind: Kind, code: ResultCode, took: Duration) {
        let Some(metrics) = self.kinds.get(kind.index) else { return };
        if let Some(counter) = metrics.answers.get(code as usize) {
            counter.inc();
        }
        metrics.seconds.observe(took.as_secs_f64());
    }

    /// Counts a call whose caller went away before the answer.
    pub fn left(&self, kind: Kind) {
        if let Some(metrics) = self.kinds.get(kind.index) {
            metrics.gone.inc();
        }
    }

    /// Tells the state of a source's breaker.
    pub fn breaker_is(&self, source: &str, state: BreakerState) {
        for known in [BreakerState::Closed, BreakerState::HalfOpen, BreakerState::Open] {
            let labels = BreakerLabels { source: source.to_owned(), state: known.as_str() };
            self.breakers.get_or_create(&labels).set((known == state).into());
        }
    }

    /// Tells which edition answers.
    pub fn serving(&self, label: &str, rows: u64, age_days: i32) {
        self.edition.clear();
        self.edition.get_or_create(&EditionLabels { edition: label.to_owned() }).set(1);
        self.edition_rows.set(i64::try_from(rows).unwrap_or(i64::MAX));
        self.edition_age_days.set(age_days.into());
    }

    /// Counts a failed question to the store outside of calls.
    pub fn store_failed(&self) {
        self.store_errors.inc();
    }

    /// Tells whether the server is ready.
    pub fn set_ready(&self, ready: bool) {
        self.ready.set(ready.into());
    }

    /// All figures in the OpenMetrics text form.
    ///
    /// # Errors
    /// Only if the text cannot be formatted.
    pub fn print(&self) -> Result<String, std::fmt::Error> {
        let mut page = String::new();
        text::encode(&mut page, &self.registry)?;
        Ok(page)
    }
}

/// Sources are named by the settings, so that their names are as few as they are.
impl Observer for Metrics {
    fn observe(&self, call: Observation<'_>) {
        let labels = SourceLabels { source: call.source.to_owned(), outcome: call.outcome.as_str() };
        self.sources.get_or_create(&labels).inc();
    }
}
