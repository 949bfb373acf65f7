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
use kuraka_registry::{Advance, NoProgress, Progress, Stage};
use tokio::sync::Notify;

use super::{Job, Stopping};
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

/// The first wait after an earlier process's failure, so that a server that is restarted again and again does not query
/// the publisher each time.
pub(crate) fn after_failure(last: Option<&DatasetAttempt>, now: Timestamp) -> Duration {
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
            Ok(Some(report)) => {
                let (edition, rows) = (report.label, report.rows);
                tracing::info!(dataset, edition, rows, "the dataset is updated");
                if let Some(error) = &report.history_error {
                    tracing::warn!(dataset, cause = logs::chain(error), "the history was not extended");
                }
                true
            }
            Ok(None) => {
                tracing::info!(dataset, "the dataset is up to date");
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
    const STALLED_AFTER: Option<Duration> = None;
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

    async fn tick(&mut self) -> bool {
        let failures = self.failures.saturating_add(1);
        let (is_updated, is_read) = (self.update_edition().await, self.backfill().await);
        // Each attempt may download hundreds of MB.
        self.failures = if is_read { self.failures } else { failures };
        drop(self.statuses.set_next_update(self.update.dataset(), self.period()));
        is_updated && is_read
    }
}

#[cfg(test)]
mod tests {
    use kuraka_ports::AttemptOutcome;

    use super::*;

    #[test]
    fn a_pause_doubles_up_to_an_hour_or_the_usual_interval() {
        let pause = |failures, asked, every| {
            retry_after(failures, Duration::from_secs(asked), Duration::from_secs(every)).as_secs()
        };
        for (failures, asked, expected) in [(1, 0, 600), (2, 0, 1_200), (3, 60, 2_400), (1, 3_600, 3_600)] {
            assert_eq!(pause(failures, asked, 86_400), expected, "{failures} {asked}");
        }
        assert_eq!([pause(u32::MAX, 0, 86_400), pause(1, u64::MAX, 86_400)], [86_400; 2]);
        assert_eq!([1, 2, 3, 4, 9].map(|failures| pause(failures, 0, 600)), [600, 1_200, 2_400, 3_600, 3_600]);
        assert_eq!([pause(1, 0, 60), pause(9, 0, 60)], [60, 3_600]);
    }

    #[test]
    fn a_builder_without_an_edition_is_asked_again_within_ten_seconds() {
        assert_eq!([1, 2, 3, 4, 5, u32::MAX].map(|failures| builder_pause(failures).as_secs()), [1, 2, 4, 8, 10, 10]);
    }

    #[test]
    fn the_first_update_keeps_its_distance_from_a_failed_one() {
        let now: Timestamp = "2026-11-21T15:00:00Z".parse().unwrap();
        let failed = AttemptOutcome::Failed {
            cause: "503".to_owned(),
            reason: String::new(),
            needs_operator: false,
            force_helps: false,
        };
        for (outcome, at, expected) in [
            (failed.clone(), "2026-11-21T14:58:00Z", 480),
            (failed.clone(), "2026-11-21T14:00:00Z", 0),
            (failed, "2026-11-21T15:30:00Z", 0),
            (AttemptOutcome::Unchanged, "2026-11-21T14:58:00Z", 0),
        ] {
            let last = DatasetAttempt { at: at.parse().unwrap(), outcome };
            assert_eq!(after_failure(Some(&last), now).as_secs(), expected, "{last:?}");
        }
        assert_eq!(after_failure(None, now), Duration::ZERO);
    }
}
