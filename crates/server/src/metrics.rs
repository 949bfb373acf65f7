//! The server's metrics. Every label is from a closed set, so that callers cannot create series.

mod connections;
mod datasets;
mod measured;
mod page;
#[cfg(target_os = "linux")]
mod process;
pub mod recent;
mod register;
mod webhooks;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use kuraka_adapters::layers::{BreakerState, CallResult, Observer};
use kuraka_app::{CalledOperation, ConcurrencyLimit, MailOutcome};
use kuraka_domain::ResultCode;
use kuraka_ports::{CallCounts, SourceErrorKind};
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::logs;
pub use connections::ConnectionMetrics;
pub use datasets::DatasetMetrics;
use recent::{Recent, Since};
use register::{Labels, new, new_seconds};
pub use webhooks::WebhookMetrics;

/// The label of `/mcp`, which counts messages. A tool's call is counted as the call of its operation.
pub const MCP: &str = "mcp";

/// An operation, or a request of three other kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    index: usize,
    name: &'static str,
}

impl Kind {
    /// An unknown path or method.
    pub const OTHER: Self = Self { index: 0, name: "other" };
    /// The documents of the API: `/docs`, `/openapi.json`, `/webhooks.json` and `/llms.txt`.
    pub const DOCS: Self = Self { index: 1, name: "docs" };
    pub const PANEL: Self = Self { index: 2, name: "panel" };
    const NOT_OPERATIONS: [Self; 3] = [Self::OTHER, Self::DOCS, Self::PANEL];

    pub const fn from_operation(CalledOperation { index, name, .. }: CalledOperation) -> Self {
        Self { index: index + Self::NOT_OPERATIONS.len(), name }
    }

    /// The same for a call that [`Metrics`] does not count.
    #[must_use]
    pub const fn uncounted(self) -> Self {
        Self { index: usize::MAX, ..self }
    }

    /// The label and log field `operation`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }
}

struct KindMetrics {
    /// Indexed by [`ResultCode`].
    answers: [Counter; ResultCode::ALL.len()],
    seconds: Histogram,
    gone: Counter,
    in_progress: Gauge,
    overloaded: Counter,
    charged: Counter,
}

pub struct Metrics {
    registry: Registry,
    /// Metrics without a prefix.
    process: Registry,
    /// By kind, so that an answer needs no lookup by labels.
    kinds: Vec<KindMetrics>,
    sources: Family<Labels<2, String>, Counter>,
    source_seconds: Family<Labels<1, String>, Histogram, fn() -> Histogram>,
    breakers: Family<Labels<2, String>, Gauge>,
    pub datasets: DatasetMetrics,
    pub open_data: Counter,
    unserved: Family<Labels<1>, Counter>,
    test_answers: Family<Labels<1>, Counter>,
    pub store_errors: Counter,
    pub webhooks: WebhookMetrics,
    mails: Family<Labels<1>, Counter>,
    job_successes: Family<Labels<1>, Gauge>,
    job_panics: Family<Labels<1>, Counter>,
    pub ready: Gauge,
    recent: Recent,
    pub public_connections: ConnectionMetrics,
    pub admin_connections: ConnectionMetrics,
}

impl Metrics {
    /// All metrics at zero. `operations`: names in the table's order.
    pub fn new(operations: impl IntoIterator<Item = &'static str>) -> Self {
        let (mut registry, mut process) = (Registry::with_prefix("kuraka"), Registry::default());
        let to = &mut registry;
        #[cfg(target_os = "linux")]
        process.register_collector(Box::new(process::ProcessCollector));
        to.register("build", "The version of the server, 1", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        // Dashboards may show these texts: keep them.
        let calls: Family<Labels<2>, Counter> = new(to, "answers", "Answers by operation and code");
        let seconds = Family::<Labels<1>, Histogram>::new_with_constructor(|| {
            Histogram::new(exponential_buckets(0.000_025, 4.0, 12))
        });
        to.register_with_unit("answer", "Time to answer, by operation", Unit::Seconds, seconds.clone());
        let gone: Family<Labels<1>, Counter> =
            new(to, "callers_gone", "Calls whose caller went away before the answer, by operation");
        let in_progress: Family<Labels<1>, Gauge> = new(to, "calls_in_progress", "Calls in progress, by operation");
        let overloaded: Family<Labels<1>, Counter> =
            new(to, "calls_refused", "Calls refused because too many were in progress, by operation");
        let charged: Family<Labels<1>, Counter> =
            new(to, "queries_charged", "Queries charged to accounts, by operation");
        let source_seconds = Family::<Labels<1, String>, Histogram, fn() -> Histogram>::new_with_constructor(|| {
            Histogram::new([0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0])
        });
        to.register_with_unit("source_call", "Time of requests to sources", Unit::Seconds, source_seconds.clone());
        let of_kind = |operation| {
            let labels = [("operation", operation)];
            let answers = ResultCode::ALL
                .map(|code| calls.get_or_create_owned(&[("operation", operation), ("code", code.as_str())]));
            KindMetrics {
                answers,
                seconds: seconds.get_or_create_owned(&labels),
                gone: gone.get_or_create_owned(&labels),
                in_progress: in_progress.get_or_create_owned(&labels),
                overloaded: overloaded.get_or_create_owned(&labels),
                charged: charged.get_or_create_owned(&labels),
            }
        };
        let kinds = Kind::NOT_OPERATIONS.map(Kind::name).into_iter().chain(operations).map(of_kind).collect();
        let [public_connections, admin_connections] = connections::register(to, ["public", "admin"]);
        let mails: Family<Labels<1>, Counter> = new(to, "mails", "Attempts to send a mail by result");
        for outcome in MailOutcome::ALL {
            drop(mails.get_or_create(&[("result", outcome.as_str())]));
        }
        to.register("log_lines_dropped", "Log lines that could not be written", logs::dropped_lines());
        Self {
            kinds,
            sources: new(to, "source_calls", "Requests to sources by outcome"),
            source_seconds,
            breakers: new(to, "breaker_state", "The state of a source's breaker, 1"),
            datasets: DatasetMetrics::register(to),
            open_data: new(to, "open_data_answers", "Details from the open data, as no source answered"),
            unserved: new(to, "unserved_calls", "Calls to operations of the original interface that do not exist here"),
            test_answers: new(to, "test_answers", "Answers to test tokens by code, which no other metric counts"),
            store_errors: new(to, "store_errors", "Failed requests to the store outside of calls"),
            webhooks: WebhookMetrics::register(to),
            mails,
            job_successes: new_seconds(
                to,
                "job_last_success_timestamp",
                "When a background job last succeeded, in Unix time",
            ),
            job_panics: new(to, "job_panics", "Panics of a background job"),
            ready: new(to, "ready", "1 while the server is ready"),
            recent: Recent::default(),
            public_connections,
            admin_connections,
            registry,
            process,
        }
    }

    pub fn record_answer(&self, kind: Kind, code: ResultCode, took: Duration) {
        let Some(metrics) = self.kinds.get(kind.index) else { return };
        if let Some(counter) = metrics.answers.get(code as usize) {
            counter.inc();
        }
        metrics.seconds.observe(took.as_secs_f64());
    }

    /// The client disconnected before the answer.
    pub fn record_disconnect(&self, kind: Kind) {
        if let Some(metrics) = self.kinds.get(kind.index) {
            metrics.gone.inc();
        }
    }

    /// A refund is not subtracted.
    pub fn record_charge(&self, kind: Kind, queries: u64) {
        if let Some(metrics) = self.kinds.get(kind.index) {
            metrics.charged.inc_by(queries);
        }
    }

    /// Counts a call to a missing operation of the original interface, and logs the first one of each.
    pub fn record_unserved(&self, name: &'static str) {
        if self.unserved.get_or_create(&[("name", name)]).inc() == 0 {
            tracing::warn!(name, "a program asks for an operation that this service does not have");
        }
    }

    /// Counts an answer to a test token, apart from all others.
    pub fn record_test_answer(&self, code: ResultCode) {
        self.test_answers.get_or_create(&[("code", code.as_str())]).inc();
    }

    /// Sets calls in progress and refused calls, in the table's order.
    pub fn set_concurrency(&self, limits: &[ConcurrencyLimit]) {
        for (metrics, limit) in self.kinds.iter().skip(Kind::NOT_OPERATIONS.len()).zip(limits) {
            metrics.in_progress.set(i64::try_from(limit.in_progress()).unwrap_or(i64::MAX));
            metrics.overloaded.inner().store(limit.refused(), Ordering::Relaxed);
        }
    }

    /// Adds a source with every outcome at zero: an alarm does not see a series that begins at 1.
    pub fn add_source(&self, source: &str) {
        for outcome in CallResult::ALL {
            drop(self.sources.get_or_create(&source_labels(source, "outcome", outcome.as_str())));
        }
        drop(self.source_seconds.get_or_create(&[("source", source.to_owned())]));
    }

    /// How often a source has refused our credentials.
    pub fn refused_credentials(&self, source: &str) -> u64 {
        let refused = CallResult::Failed(SourceErrorKind::Credentials);
        self.sources.get_or_create(&source_labels(source, "outcome", refused.as_str())).get()
    }

    pub fn record_mail(&self, outcome: MailOutcome) {
        self.mails.get_or_create(&[("result", outcome.as_str())]).inc();
    }

    /// 1 for `state`, 0 for the others.
    pub fn set_breaker_state(&self, source: &str, state: BreakerState) {
        for known in BreakerState::ALL {
            self.breakers.get_or_create(&source_labels(source, "state", known.as_str())).set((known == state).into());
        }
    }

    pub fn add_job(&self, job: &'static str) {
        drop((self.job_successes.get_or_create(&job_labels(job)), self.job_panics.get_or_create(&job_labels(job))));
    }

    /// `seconds` is in Unix time.
    pub fn record_job_success(&self, job: &'static str, seconds: i64) {
        self.job_successes.get_or_create(&job_labels(job)).set(seconds);
    }

    pub fn record_job_panic(&self, job: &'static str) {
        self.job_panics.get_or_create(&job_labels(job)).inc();
    }

    /// Keeps the present counts. Call it every quarter of an hour.
    pub fn sample(&self) {
        self.recent.add(&self.print().unwrap_or_default());
    }

    /// What was counted in about each of these times.
    pub fn since<const N: usize>(&self, ages: [Duration; N]) -> [Since; N] {
        let page = self.print().unwrap_or_default();
        ages.map(|age| self.recent.since(age, &page))
    }

    /// What operations and sources have counted, by the operation's path and the source's public name.
    pub fn measured(&self) -> BTreeMap<String, CallCounts> {
        let is_operation = |label: &str| label != MCP && Kind::NOT_OPERATIONS.iter().all(|kind| kind.name != label);
        measured::counts(&self.print().unwrap_or_default(), is_operation)
    }

    /// The OpenMetrics text, sorted by name and labels.
    ///
    /// # Errors
    /// Only if the text cannot be formatted.
    pub fn print(&self) -> Result<String, std::fmt::Error> {
        let mut page = String::new();
        text::encode_registry(&mut page, &self.registry)?;
        text::encode_registry(&mut page, &self.process)?;
        let mut page = page::sorted(&page);
        text::encode_eof(&mut page)?;
        Ok(page)
    }
}

/// The settings name the sources, so the labels are closed.
impl Observer for Metrics {
    fn observe(&self, source: &str, outcome: CallResult, latency: Duration) {
        self.sources.get_or_create(&source_labels(source, "outcome", outcome.as_str())).inc();
        match outcome {
            CallResult::Dropped | CallResult::Failed(SourceErrorKind::HeldBack) => {}
            CallResult::Found | CallResult::NotFound | CallResult::Failed(_) => {
                let labels = [("source", source.to_owned())];
                self.source_seconds.get_or_create(&labels).observe(latency.as_secs_f64());
            }
        }
    }
}

fn source_labels(source: &str, name: &'static str, value: &str) -> Labels<2, String> {
    [("source", source.to_owned()), (name, value.to_owned())]
}

/// Prometheus sets `job` to the name of the scrape.
const fn job_labels(job: &'static str) -> Labels<1> {
    [("background_job", job)]
}
