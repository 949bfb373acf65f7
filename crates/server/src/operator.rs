//! What the operator's pages show and change of this server.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use kuraka_adapters::datasets::DatasetStatuses;
use kuraka_adapters::layers::Breaker;
use kuraka_adapters::store::Store;
use kuraka_app::{AccountMeters, MailOutcome};
use kuraka_panel::operator::{Health, Operator, RecentCounts};
use kuraka_ports::{NewAuditLine, Origin, StoreError};
use kuraka_registry::dataset;

use crate::background::{JobHealth, report_history};
use crate::bootstrap::panel;
use crate::logs;
use crate::metrics::Metrics;
use crate::metrics::recent::Since;

const PERIODS: [Duration; 2] = [Duration::from_secs(3_600), Duration::from_secs(86_400)];

/// The most accounts with failing webhooks that are shown.
const OWNERS: u32 = 50;

pub struct ServerOperator {
    pub statuses: Arc<DatasetStatuses>,
    pub folder: PathBuf,
    pub store: Arc<dyn Store>,
    pub meters: Arc<AccountMeters>,
    pub jobs: Arc<JobHealth>,
    pub metrics: Arc<Metrics>,
    pub breakers: Vec<Arc<Breaker>>,
}

#[async_trait]
impl Operator for ServerOperator {
    async fn health(&self) -> Result<Health, StoreError> {
        let stalled = self.jobs.stalled();
        let job = |(name, since)| (name, since, stalled.contains(&name));
        let source = |breaker: &Arc<Breaker>| (breaker.source().to_owned(), panel::state(breaker));
        Ok(Health {
            servers: self.meters.servers(),
            jobs: self.jobs.successes().into_iter().map(job).collect(),
            sources: self.breakers.iter().map(source).collect(),
            periods: self.metrics.since(PERIODS).map(|since| recent(&since)),
            mails: self.store.count_mails().await?,
            webhooks: self.store.count_webhooks().await?,
            failing: self.store.owners_of_failing(OWNERS).await?,
        })
    }

    fn update(&self, dataset: &str) -> bool {
        self.statuses.begin_update(dataset)
    }

    async fn roll_back(&self, dataset: &str, from: &str) -> bool {
        let Some(dataset) = dataset::named(dataset).ok().filter(|dataset| dataset.has_editions()) else {
            return false;
        };
        let (folder, from, store, origin) =
            (self.folder.clone(), from.to_owned(), Arc::clone(&self.store), Origin::current());
        // Goes on if the browser leaves: a rollback has its line.
        let work = tokio::spawn(async move {
            let work = tokio::task::spawn_blocking(move || kuraka_registry::rollback_from(&folder, dataset, &from));
            let moved = match work.await {
                Ok(Ok(moved)) => moved,
                Ok(Err(error)) => {
                    let dataset = dataset.name;
                    tracing::error!(dataset, cause = logs::chain(&error), "the dataset was not rolled back");
                    return false;
                }
                Err(_) => return false,
            };
            report_history(dataset, moved.history_error.as_ref());
            let object = format!("{} {}", dataset.name, moved.to);
            let line = NewAuditLine { action: "dataset.rollback", object, ..NewAuditLine::default() };
            if let Err(error) = store.add_line(&line, &origin).await {
                let object = line.object;
                tracing::warn!(object, cause = logs::chain(&error), "a rollback is not in the audit log");
            }
            true
        });
        work.await.unwrap_or(false)
    }
}

fn recent(since: &Since) -> RecentCounts {
    let answers = since.counts("kuraka_answers_total{", ["operation", "code"]);
    let times = answers.keys().map(|name| (name.clone(), [0.5, 0.99].map(|share| since.quantile(name, share))));
    let mails = since.counts("kuraka_mails_total{", ["result", "result"]);
    let given_up = mails.get(MailOutcome::GivenUp.as_str()).and_then(|counts| counts.first());
    RecentCounts {
        duration: since.duration,
        times: times.collect(),
        answers,
        sources: since.counts("kuraka_source_calls_total{", ["source", "outcome"]),
        mails_given_up: given_up.map_or(0, |(_, count)| *count),
    }
}
