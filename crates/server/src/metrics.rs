//! What the service counts. Every label is an enum of ours, so that no caller can make a series.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use kuraka_adapters::layers::{BreakerState, Observation, Observer};
use kuraka_domain::ResultCode;
use kuraka_ports::OperationName;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

/// What was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `POST /ruc`.
    Summary,
    /// `POST /ruc-official`.
    Detail,
    /// `POST /cpe`.
    Voucher,
    /// `GET /usage`.
    Usage,
    /// No operation: an unknown path, a wrong method.
    Other,
}

impl Operation {
    const ALL: [Self; 5] = [Self::Summary, Self::Detail, Self::Voucher, Self::Usage, Self::Other];

    /// The operations that the daily usage of an account counts.
    const COUNTED: [Self; 3] = [Self::Summary, Self::Detail, Self::Voucher];

    /// The names of the operations that the daily usage counts, in the order of [`Operation::in_daily_usage`].
    #[must_use]
    pub fn counted() -> Vec<OperationName> {
        Self::COUNTED.map(|operation| OperationName::new(operation.as_str())).to_vec()
    }

    /// The operation's index among those that the daily usage counts.
    #[must_use]
    pub fn in_daily_usage(self) -> Option<usize> {
        Self::COUNTED.iter().position(|counted| *counted == self)
    }

    /// The operation in a word, for labels and logs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Summary => "ruc",
            Self::Detail => "ruc-official",
            Self::Voucher => "cpe",
            Self::Usage => "usage",
            Self::Other => "other",
        }
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

/// The counters, and the registry that prints them.
pub struct Metrics {
    registry: Registry,
    /// By operation, then by code, in the order of their constants: no lookup on the way of a call.
    answers: [[Counter; ResultCode::ALL.len()]; Operation::ALL.len()],
    seconds: [Histogram; Operation::ALL.len()],
    gone: [Counter; Operation::ALL.len()],
    sources: Family<SourceLabels, Counter>,
    breakers: Family<BreakerLabels, Gauge>,
    edition: Family<EditionLabels, Gauge>,
    edition_rows: Gauge,
    edition_age_days: Gauge<i64>,
    store_errors: Counter,
    ready: Gauge<i64, std::sync::atomic::AtomicI64>,
}

impl Metrics {
    /// All at zero.
    #[must_use]
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("kuraka");
        let calls = Family::<CallLabels, Counter<u64, AtomicU64>>::default();
        let seconds = Family::<OperationLabels, Histogram>::new_with_constructor(|| {
            Histogram::new(exponential_buckets(0.000_025, 4.0, 12))
        });
        let answers = Operation::ALL.map(|operation| {
            ResultCode::ALL.map(|code| {
                let labels = CallLabels { operation: operation.as_str(), code: code.as_str() };
                calls.get_or_create(&labels).clone()
            })
        });
        let by_operation =
            Operation::ALL.map(|o| seconds.get_or_create(&OperationLabels { operation: o.as_str() }).clone());
        let left = Family::<OperationLabels, Counter>::default();
        let gone = Operation::ALL.map(|o| left.get_or_create(&OperationLabels { operation: o.as_str() }).clone());
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
        Self {
            registry,
            answers,
            seconds: by_operation,
            gone,
            sources,
            breakers,
            edition,
            edition_rows,
            edition_age_days,
            store_errors,
            ready,
        }
    }

    /// Counts an answer.
    pub fn answered(&self, operation: Operation, code: ResultCode, took: Duration) {
        if let Some(counter) = self.answers.get(operation as usize).and_then(|codes| codes.get(code as usize)) {
            counter.inc();
        }
        if let Some(histogram) = self.seconds.get(operation as usize) {
            histogram.observe(took.as_secs_f64());
        }
    }

    /// Counts a call whose caller went away before the answer.
    pub fn left(&self, operation: Operation) {
        if let Some(counter) = self.gone.get(operation as usize) {
            counter.inc();
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

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
