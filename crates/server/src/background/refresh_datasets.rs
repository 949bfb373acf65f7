//! Switches to newly published editions, of any process, and away from damaged ones.

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::datasets::{DatasetStatuses, EmbeddedRegistry, RefreshResults, Replaced};
use kuraka_ports::{Audit, AuditFilter, Edition, NewAuditLine, Origin};
use kuraka_registry::dataset::Dataset;
use kuraka_registry::{OpenError, SkippedEdition};

use super::Job;
use crate::logs;
use crate::metrics::Metrics;

/// Unusable editions are tried again after about a minute, because a read error may pass.
const TICKS_TO_RETRY: u64 = 60;

pub struct RefreshDatasets {
    pub registry: Arc<EmbeddedRegistry>,
    pub datasets: Arc<DatasetStatuses>,
    pub metrics: Arc<Metrics>,
    /// Has the publications of commands; others are added.
    pub audit: Arc<dyn Audit>,
    /// Editions that the audit log has, as its lines name them.
    pub known: Vec<String>,
}

impl RefreshDatasets {
    /// `false` = the attempt panicked.
    async fn replace_damaged(&self) -> bool {
        let replacing = Arc::clone(&self.registry);
        let done = tokio::task::spawn_blocking(move || replacing.replace_damaged()).await;
        match &done {
            Ok(done) => self.report_replaced(done),
            // The panic hook has logged it; the message may quote a row.
            Err(_) => tracing::error!("replacing the damaged edition panicked"),
        }
        done.is_ok()
    }

    fn report_replaced(&self, done: &RefreshResults<Option<Replaced>>) {
        for (dataset, replaced) in done {
            match replaced {
                Ok(Some(Replaced { label, skipped })) => {
                    self.metrics.datasets.record_damaged(dataset.name);
                    report_skipped(skipped);
                    let answers = self.served(dataset).map(|edition| Arc::clone(&edition.label));
                    let (dataset, edition, answers) = (dataset.name, &**label, answers.as_deref().unwrap_or("none"));
                    tracing::error!(dataset, edition, answers, "the file of the active edition was damaged");
                }
                Ok(None) => {}
                Err(error) => {
                    let (dataset, cause) = (dataset.name, logs::chain(error));
                    tracing::error!(dataset, cause, "the damaged edition is not replaced");
                }
            }
        }
    }

    fn report_refreshed(&self, dataset: &Dataset, is_new: &Result<bool, OpenError>) {
        match is_new {
            Ok(true) => {
                if let Some(edition) = self.served(dataset) {
                    let (dataset, edition, rows) = (dataset.name, &*edition.label, edition.rows);
                    tracing::info!(dataset, edition, rows, "serving a new edition");
                }
            }
            Ok(false) => {}
            Err(error) => {
                let (dataset, cause) = (dataset.name, logs::chain(error));
                tracing::error!(dataset, cause, "the published edition is not used");
            }
        }
    }

    /// Adds a line for each served edition whose publication has none: a job made it, another machine, or a command that
    /// could not reach the store. Looked at when the server starts and once a minute, when
    /// a command has written its own.
    async fn audit_publications(&mut self) {
        let served = self.registry.states().into_iter().filter_map(|(dataset, .., edition)| {
            edition.map(|edition| (dataset.name, format!("{} {}", dataset.name, edition.label)))
        });
        for (dataset, object) in served.collect::<Vec<_>>() {
            if self.known.contains(&object) {
                continue;
            }
            let of_dataset = format!("{dataset} ");
            let filter = AuditFilter { object: Some(&of_dataset), newest: true, ..AuditFilter::default() };
            let line = NewAuditLine { action: "dataset.publish", object: object.clone(), ..NewAuditLine::default() };
            let written = match self.audit.lines(&filter, 1).await {
                Ok(lines) if lines.last().is_some_and(|line| line.object == object) => Ok(()),
                Ok(_) => self.audit.add_line(&line, &Origin::default()).await,
                Err(error) => Err(error),
            };
            match written {
                Ok(()) => {
                    self.known.retain(|known| !known.starts_with(&of_dataset));
                    self.known.push(object);
                }
                // Tried again in a minute.
                Err(error) => tracing::warn!(dataset, cause = logs::chain(&error), "a publication is not audited"),
            }
        }
    }

    fn served(&self, dataset: &Dataset) -> Option<Arc<Edition>> {
        let mut states = self.registry.states().into_iter();
        states.find(|(known, ..)| known.name == dataset.name).and_then(|(.., edition)| edition)
    }
}

impl Job for RefreshDatasets {
    const NAME: &'static str = "refresh_datasets";
    // One tick may read a whole edition, which takes minutes on a slow disk.
    const STALLED_AFTER: Option<Duration> = Some(Duration::from_secs(600));
    /// A published edition is served after this time plus its verification.
    const EVERY: Duration = Duration::from_secs(1);

    async fn tick(&mut self, number: u64) -> bool {
        let is_replaced = self.replace_damaged().await;
        let is_retry = (number + 1).is_multiple_of(TICKS_TO_RETRY);
        let (opening, datasets) = (Arc::clone(&self.registry), Arc::clone(&self.datasets));
        // Reads whole files.
        let refreshed = tokio::task::spawn_blocking(move || {
            datasets.read_attempts();
            let mut refreshed = opening.refresh();
            refreshed.extend(if is_retry { opening.retry_unusable() } else { Vec::new() });
            refreshed
        })
        .await;
        match &refreshed {
            Ok(done) => done.iter().for_each(|(dataset, is_new)| self.report_refreshed(dataset, is_new)),
            // The panic hook has logged it; the message may quote a row.
            Err(_) => tracing::error!("refreshing the datasets panicked"),
        }
        if number == 0 || is_retry {
            self.audit_publications().await;
        }
        // A refused edition is a state that `/readyz` reports; the job itself works.
        is_replaced && refreshed.is_ok()
    }
}

/// Logs the unusable editions that are newer than the served one.
pub(crate) fn report_skipped(skipped: &[SkippedEdition]) {
    for skipped in skipped {
        let (file, cause) = (skipped.path.display(), logs::chain(&skipped.error));
        tracing::error!(%file, cause, "an edition was skipped");
    }
}
