//! Updates one dataset periodically.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_adapters::datasets::DatasetStatuses;
use kuraka_adapters::datasets::update::{DatasetUpdate, UpdateError, UpdateProgress};
use kuraka_domain::DatasetRole;
use kuraka_ports::{Clock, DatasetAttempt, DatasetProgress, Datasets};
use kuraka_registry::dataset::Dataset;
use kuraka_registry::months::Month;
use kuraka_registry::{Advance, ImportReport, NoProgress, Progress, PublishResult, Stage};
use tokio::sync::Notify;

use super::{Job, Stopping, report_history};
use crate::logs;
use crate::progress::{Milestones, percent};

const DAY: Duration = Duration::from_secs(86_400);
/// After the first temporary failure, unless updates are more frequent. Doubles with each failure.
const FIRST_RETRY_PAUSE: Duration = Duration::from_secs(600);
/// After a failure, unless updates are rarer. A machine with a full disk would else download hundreds of MB each time.
const MAX_RETRY_PAUSE: Duration = Duration::from_secs(3_600);
/// First and longest pause of a server without an edition while its builder gives none.
const BUILDER_PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(10)];

/// Updates one dataset at the start and then periodically. A failing update does not make the server unready: the
/// edition's age has its own metric.
pub struct UpdateDataset {
    pub update: DatasetUpdate,
    pub statuses: Arc<DatasetStatuses>,
    pub every: Duration,
    pub wake: Arc<Notify>,
    /// The first wait: datasets start one after another, and a pause after a failure continues.
    pub delay: Duration,
    pub failures: u32,
    /// Whether the file comes from a builder.
    pub is_from_builder: bool,
    /// Whether the server has no edition because the builder gave none.
    pub awaits_builder: bool,
    /// The address of past months and the first to read, until all are read.
    pub past_months: Option<(String, Month)>,
    pub asked: Duration,
    pub clock: Arc<dyn Clock>,
    pub stopping: Stopping,
}

/// The first wait after an earlier process's failure.
fn after_failure(last: Option<&DatasetAttempt>, now: Timestamp) -> Duration {
    let Some(last) = last.filter(|last| last.outcome.is_failure()) else { return Duration::ZERO };
    // If the time is in the future, the clock was set back.
    let since = Duration::try_from(now.duration_since(last.at)).unwrap_or(FIRST_RETRY_PAUSE);
    FIRST_RETRY_PAUSE.saturating_sub(since)
}

/// The pause after this many failures, of which the last requested a wait. Successful updates happen `every` so often.
fn retry_after(failures: u32, asked: Duration, every: Duration) -> Duration {
    let doubled = FIRST_RETRY_PAUSE.min(every).saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1)));
    doubled.max(asked).min(every.max(MAX_RETRY_PAUSE))
}

/// The pause after this many requests to a builder without a first edition.
fn builder_pause(failures: u32) -> Duration {
    let [first, longest] = BUILDER_PAUSES;
    first.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1))).min(longest)
}

/// The pause between successful updates, with this setting. A file that is not published daily is checked at most once
/// a day.
pub(crate) fn pause(dataset: &Dataset, every: Duration, is_from_publisher: bool) -> Duration {
    let is_rare = is_from_publisher && dataset.rhythm.days() > 1;
    if is_rare { every.max(DAY) } else { every }
}

/// Shows an update's progress in the dataset's status and logs its stages.
struct ShownProgress {
    dataset: &'static Dataset,
    statuses: Arc<DatasetStatuses>,
    milestones: Milestones,
}

impl ShownProgress {
    fn show(&self, stage: &'static str, percent: Option<u8>) {
        self.statuses.set_progress(self.dataset, Some(DatasetProgress { stage, percent }));
        if let Some(reached) = self.milestones.due(stage, percent) {
            let percent = (reached > 0).then_some(reached);
            tracing::info!(dataset = self.dataset.name, stage, percent, "updating the dataset");
        }
    }
}

impl Progress for ShownProgress {
    fn advanced(&self, Advance { bytes_read, bytes_total, .. }: Advance) {
        self.show(Stage::Reading.as_str(), percent(bytes_read, Some(bytes_total)));
    }

    fn stage(&self, stage: Stage) {
        self.show(stage.as_str(), None);
    }
}

impl UpdateProgress for ShownProgress {
    fn received(&self, bytes: u64, total: Option<u64>) {
        self.show("download", percent(bytes, total));
    }
}

impl Drop for ShownProgress {
    fn drop(&mut self) {
        self.statuses.set_progress(self.dataset, None);
    }
}

impl UpdateDataset {
    /// Asks the publisher, without past months. Waits at least `delay` before the first update, and longer after an
    /// earlier process's failure, so that a server that is restarted again and again does not query the publisher each
    /// time.
    pub fn new(
        update: DatasetUpdate,
        statuses: Arc<DatasetStatuses>,
        every: Duration,
        delay: Duration,
        last: Option<&DatasetAttempt>,
        clock: Arc<dyn Clock>,
        stopping: Stopping,
    ) -> Self {
        let delay = delay.max(after_failure(last, clock.now()));
        Self {
            wake: statuses.set_next_update(update.dataset(), delay),
            update,
            statuses,
            every,
            delay,
            failures: 0,
            is_from_builder: false,
            awaits_builder: false,
            past_months: None,
            asked: Duration::ZERO,
            clock,
            stopping,
        }
    }

    fn has_no_edition(&self) -> bool {
        let (name, statuses) = (self.update.dataset().name, self.statuses.statuses());
        statuses.iter().any(|status| status.name == name && status.edition.is_none())
    }

    async fn update_edition(&mut self) -> bool {
        let dataset = self.update.dataset().name;
        let work = async {
            let _ = tokio::time::timeout(std::mem::take(&mut self.delay), self.wake.notified()).await;
            let (dataset, statuses) = (self.update.dataset(), Arc::clone(&self.statuses));
            let progress = Arc::new(ShownProgress { dataset, statuses, milestones: Milestones::default() });
            self.update.run(self.clock.as_ref(), false, progress).await
        };
        let result = tokio::select! {
            result = work => result,
            _ = self.stopping.wait_for(|stopping| *stopping) => return false,
        };
        let has_waited = self.awaits_builder;
        self.awaits_builder = self.is_from_builder
            && result.as_ref().is_err_and(|error| error.may_pass() || error.is_not_found())
            && self.has_no_edition();
        self.failures = match &result {
            Err(error) if error.may_pass() || self.awaits_builder => self.failures.saturating_add(1),
            Ok(_) | Err(_) => 0,
        };
        self.asked = result.as_ref().err().and_then(UpdateError::retry_after).unwrap_or_default();
        match result {
            Ok(report) => {
                let history_error = report.as_ref().and_then(|report| report.history_error.as_ref());
                report_history(self.update.dataset(), history_error);
                match report.filter(|report| report.outcome == PublishResult::Published) {
                    Some(ImportReport { label: edition, rows, .. }) => {
                        tracing::info!(dataset, edition, rows, "the dataset is updated");
                    }
                    None => tracing::info!(dataset, "the dataset is up to date"),
                }
                true
            }
            // Logged once.
            Err(_) if has_waited && self.awaits_builder => false,
            Err(error) => {
                tracing::error!(dataset, cause = logs::chain(&error), "the dataset could not be updated");
                if self.awaits_builder {
                    tracing::info!(dataset, "the builder is asked again every few seconds until it has an edition");
                } else if self.update.dataset().role == DatasetRole::Summary && self.has_no_edition() {
                    tracing::error!(
                        retry_after = self.period().as_secs(),
                        "there are no data yet: let this machine reach the publisher (kuraka doctor names what is wrong), \
                         then run kuraka dataset update, or import a file with kuraka dataset import"
                    );
                }
                false
            }
        }
    }

    /// Reads the past months when no dataset is being updated. What is refused or not published waits for the next start.
    async fn backfill(&mut self) -> bool {
        let (Some((address, from)), dataset) = (&self.past_months, self.update.dataset().name) else { return true };
        let work = async {
            while self.statuses.statuses().iter().any(|status| status.progress.is_some()) {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            self.update.backfill(address, (*from, false), self.clock.as_ref(), Arc::new(NoProgress), |_, _| {}).await
        };
        let done = tokio::select! {
            done = work => done,
            _ = self.stopping.wait_for(|stopping| *stopping) => return false,
        };
        if let Err(error) = done {
            tracing::error!(dataset, cause = logs::chain(&error), "the past months could not be read");
            return false;
        }
        self.past_months = None;
        tracing::info!(dataset, "the past months are read");
        true
    }
}

impl Job for UpdateDataset {
    const NAME: &'static str = "update_dataset";
    // Unused: each dataset has its own period.
    const EVERY: Duration = DAY;

    fn period(&self) -> Duration {
        match self.failures {
            0 => self.every,
            failures if self.awaits_builder => builder_pause(failures),
            failures => retry_after(failures, self.asked, self.every),
        }
    }

    fn woken(&self) -> impl Future<Output = ()> + Send {
        self.wake.notified()
    }

    async fn tick(&mut self, _: u64) -> bool {
        let failures = self.failures.saturating_add(1);
        let (is_updated, is_read) = (self.update_edition().await, self.backfill().await);
        // Each attempt may download hundreds of MB.
        self.failures = if is_read { self.failures } else { failures };
        drop(self.statuses.set_next_update(self.update.dataset(), self.period()));
        is_updated && is_read
    }
}
