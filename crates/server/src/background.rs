//! The server's background jobs, each supervised by `supervise` until the server stops.

mod deliver_webhooks;
mod evict_idle;
mod health;
mod measure_service;
mod refresh_datasets;
mod run_lists;
mod send_heartbeats;
mod send_mails;
mod settle_leases;
mod supervise;
mod sweep_changes;
mod sweep_store;
mod update_dataset;
mod update_exchange_rates;
mod watch_store;
mod write_usage;

use std::time::Duration;

use kuraka_ports::StoreError;
use kuraka_registry::dataset::Dataset;
use kuraka_registry::history::HistoryError;
use tokio::sync::watch;

use crate::logs;
use crate::metrics::Metrics;

pub use deliver_webhooks::DeliverWebhooks;
pub use evict_idle::EvictIdle;
pub use health::JobHealth;
pub use measure_service::MeasureService;
pub use refresh_datasets::RefreshDatasets;
pub(crate) use refresh_datasets::report_skipped;
pub use run_lists::RunLists;
pub use send_heartbeats::{HeartbeatJob, SendHeartbeats};
pub use send_mails::SendMails;
pub use settle_leases::SettleLeases;
pub use supervise::Supervisor;
pub use sweep_changes::SweepChanges;
pub use sweep_store::SweepStore;
pub use update_dataset::UpdateDataset;
pub(crate) use update_dataset::pause;
pub use update_exchange_rates::UpdateExchangeRates;
pub use watch_store::WatchStore;
pub use write_usage::WriteUsage;

/// Becomes true when the server stops.
pub type Stopping = watch::Receiver<bool>;

pub trait Job: Send + 'static {
    /// The name in logs, metrics and `/readyz`.
    const NAME: &'static str;
    /// How long the job may go without a success before the server is not ready; `None` = the server works without it.
    const STALLED_AFTER: Option<Duration> = None;

    const EVERY: Duration;

    /// The time from the last tick to the next: from its start if it succeeded, else from its end.
    fn period(&self) -> Duration {
        Self::EVERY
    }

    /// Completes when the job shall work before its period is over.
    fn woken(&self) -> impl Future<Output = ()> + Send {
        std::future::pending()
    }

    /// Works once, for the time with this number, from 0. `false` = it failed and has logged why. After a panic the next
    /// tick continues with the same value.
    fn tick(&mut self, number: u64) -> impl Future<Output = bool> + Send;

    /// The last work of a stopping server.
    fn finish(&mut self) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}

/// Logs why the history lacks a publication, if it does.
pub(crate) fn report_history(dataset: &Dataset, error: Option<&HistoryError>) {
    if let Some(error) = error {
        tracing::warn!(dataset = dataset.name, cause = logs::chain(error), "the history was not extended");
    }
}

/// Whether all of these requests have succeeded. Counts and logs failures.
fn have_succeeded(done: impl IntoIterator<Item = (&'static str, Result<(), StoreError>)>, metrics: &Metrics) -> bool {
    let failed = done.into_iter().filter_map(|(what, result)| result.err().map(|error| (what, error)));
    let failed = failed.inspect(|(what, error)| {
        metrics.store_errors.inc();
        tracing::warn!(what, cause = logs::chain(error), "the store could not be written to");
    });
    failed.count() == 0
}
