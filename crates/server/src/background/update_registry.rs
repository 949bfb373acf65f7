//! Updates the datasets periodically: builds editions from downloads, or fetches the padrón's finished ones.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kuraka_adapters::registry::DatasetAttempt;
use kuraka_adapters::registry::fetch::EditionFetch;
use kuraka_adapters::registry::update::{DatasetUpdate, UpdateError};
use kuraka_ports::Clock;
use kuraka_registry::{Adoption, NoProgress, PublishResult};

use super::{Job, Stopping};
use crate::logs;

const DAY: Duration = Duration::from_secs(86_400);
/// The pause after the first failure that may pass; it doubles with each, up to the usual pause.
const FIRST_RETRY: Duration = Duration::from_secs(600);

/// The job that updates one dataset when the server starts and then periodically. `RefreshRegistry` serves the editions
/// that this publishes. A failing update does not make the server unready: the edition's age has a metric of its own.
pub struct UpdateRegistry {
    /// Downloads and builds.
    pub update: DatasetUpdate,
    /// `registry.update_every`.
    pub every: Duration,
    /// How long the first update waits: the datasets do not start all at once, and a pause after a failure.
    pub delay: Duration,
    /// Failures in a row that may pass; 0 at first.
    pub failures: u32,
    /// How long the publisher asked clients to wait; 0 at first.
    pub asked: Duration,
    /// The time of the try, and today's date for the edition's label.
    pub clock: Arc<dyn Clock>,
    /// Abandons an update when the server stops.
    pub stopping: Stopping,
}

/// How long the first update waits after the last try of the process before, so that one that is started again and
/// again does not ask the publisher each time.
pub(crate) fn after_failure(last: Option<&DatasetAttempt>, now: Timestamp) -> Duration {
    let Some(last) = last.filter(|last| last.outcome.is_failure()) else { return Duration::ZERO };
    // A time in the future is that of a clock which was set back.
    let since = Duration::try_from(now.duration_since(last.at)).unwrap_or(FIRST_RETRY);
    FIRST_RETRY.saturating_sub(since)
}

/// The pause after this many failures in a row, the last of which asked clients to wait.
fn retry_after(failures: u32, asked: Duration) -> Duration {
    FIRST_RETRY.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1))).max(asked)
}

impl UpdateRegistry {
    /// The pause between two updates that succeed. A file that is not published daily is checked at most once a day.
    fn pause(&self) -> Duration {
        let is_daily = self.update.dataset().rhythm.days() <= 1;
        if is_daily { self.every } else { self.every.max(DAY) }
    }
}

impl Job for UpdateRegistry {
    const NAME: &'static str = "update_registry";
    const STALLED_AFTER: Option<Duration> = None;

    fn period(&self) -> Duration {
        match self.failures {
            0 => self.pause(),
            failures => retry_after(failures, self.asked).min(self.pause()),
        }
    }

    async fn tick(&mut self) -> bool {
        let dataset = self.update.dataset().name;
        let work = async {
            tokio::time::sleep(std::mem::take(&mut self.delay)).await;
            self.update.run(self.clock.as_ref(), false, Arc::new(NoProgress)).await
        };
        let result = tokio::select! {
            result = work => result,
            _ = self.stopping.wait_for(|stopping| *stopping) => return false,
        };
        self.failures = match &result {
            Err(error) if error.may_pass() => self.failures.saturating_add(1),
            Ok(_) | Err(_) => 0,
        };
        self.asked = result.as_ref().err().and_then(UpdateError::retry_after).unwrap_or_default();
        match result {
            Ok(Some(imported)) => {
                let (edition, rows) = (imported.label(), imported.rows());
                tracing::info!(dataset, edition, rows, "the registry is updated");
                for list in imported.damaged_lists() {
                    tracing::warn!(edition, list, "the edition of a list is damaged: its flags are of an earlier one");
                }
                true
            }
            Ok(None) => {
                tracing::info!(dataset, "the registry is up to date");
                true
            }
            Err(error) => {
                tracing::error!(dataset, cause = logs::chain(&error), "the registry could not be updated");
                false
            }
        }
    }
}

/// The job that fetches the edition which another machine has built, at once and then periodically. `RefreshRegistry`
/// serves it.
pub struct FetchRegistry {
    /// Downloads and adopts.
    pub fetch: EditionFetch,
    /// The address of the edition.
    pub url: String,
    /// The pause between downloads.
    pub period: Duration,
    /// The time of the try.
    pub clock: Arc<dyn Clock>,
    /// Abandons a download when the server stops.
    pub stopping: Stopping,
}

impl Job for FetchRegistry {
    const NAME: &'static str = "fetch_registry";
    const STALLED_AFTER: Option<Duration> = None;

    fn period(&self) -> Duration {
        self.period
    }

    async fn tick(&mut self) -> bool {
        let result = tokio::select! {
            result = self.fetch.run(&self.url, None, false, self.clock.as_ref(), &|_, _| {}) => result,
            _ = self.stopping.wait_for(|stopping| *stopping) => return false,
        };
        match result {
            Ok(Some(Adoption { outcome: PublishResult::Published, label, rows, .. })) => {
                tracing::info!(edition = label, rows, "an edition was fetched");
                true
            }
            Ok(Some(_) | None) => {
                tracing::info!("the registry is up to date");
                true
            }
            Err(error) => {
                tracing::error!(cause = logs::chain(&error), "the edition could not be fetched");
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use kuraka_adapters::registry::AttemptOutcome;

    use super::*;

    #[test]
    fn a_pause_doubles_and_is_as_long_as_the_publisher_asks() {
        for (failures, asked, expected) in [(1, 0, 600), (2, 0, 1_200), (3, 60, 2_400), (1, 3_600, 3_600)] {
            assert_eq!(retry_after(failures, Duration::from_secs(asked)).as_secs(), expected, "{failures} {asked}");
        }
        assert!(retry_after(u32::MAX, Duration::ZERO) > DAY);
    }

    #[test]
    fn the_first_update_keeps_its_distance_from_a_failed_one() {
        let now: Timestamp = "2026-11-21T15:00:00Z".parse().unwrap();
        let failed = AttemptOutcome::Failed { cause: "503".to_owned() };
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
