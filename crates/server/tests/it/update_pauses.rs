//! When a dataset is updated next: after a failure, before a builder's first edition, and after a restart.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use kuraka_adapters::datasets::update::{DatasetUpdate, UpdateSource};
use kuraka_adapters::datasets::{DatasetStatuses, EmbeddedRegistry};
use kuraka_adapters::download::{DownloadLimits, Downloader, USER_AGENT};
use kuraka_adapters::http::{ClientLimits, client};
use kuraka_ports::fake::ManualClock;
use kuraka_ports::{AttemptOutcome, Clock, DatasetAttempt, Datasets};
use kuraka_registry::Accepts;
use kuraka_registry::dataset::{Dataset, SSCO};
use kuraka_server::background::{Job, UpdateDataset};
use tokio::sync::{Semaphore, watch};

static DATASET: &Dataset = &SSCO;

fn now() -> Timestamp {
    "2026-11-21T15:00:00Z".parse().unwrap()
}

/// A job that waits this long before its first update, after this attempt of an earlier process.
fn job(folder: &Path, delay: Duration, last: Option<&DatasetAttempt>) -> UpdateDataset {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(now()));
    let (registry, _) = EmbeddedRegistry::open_with(folder, &[]).unwrap();
    let statuses = DatasetStatuses::new(Arc::new(registry), folder.to_owned(), Arc::clone(&clock), BTreeMap::new());
    let source = UpdateSource {
        address: "http://127.0.0.1:9/".to_owned(),
        plain_address: None,
        accepts: Accepts::Published,
        changes_url: None,
        sha256_url: None,
    };
    let second = Duration::from_secs(1);
    let client = client(USER_AGENT, ClientLimits { connect: second, read: second, total: second }).unwrap();
    let downloader = Downloader::new(client, DownloadLimits::default());
    let update = DatasetUpdate::new(folder.to_owned(), DATASET, source, &downloader, Arc::new(Semaphore::new(1)));
    let (every, stopping) = (Duration::from_secs(86_400), watch::channel(false).1);
    UpdateDataset::new(update, Arc::new(statuses), every, delay, last, clock, stopping)
}

#[tokio::test]
async fn a_pause_doubles_up_to_an_hour_or_the_usual_interval() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = job(folder.path(), Duration::ZERO, None);
    let mut pause = |failures: u32, asked: u64, every: u64| {
        (job.failures, job.asked, job.every) = (failures, Duration::from_secs(asked), Duration::from_secs(every));
        job.period().as_secs()
    };
    for (failures, asked, expected) in [(0, 0, 86_400), (1, 0, 600), (2, 0, 1_200), (3, 60, 2_400), (1, 3_600, 3_600)] {
        assert_eq!(pause(failures, asked, 86_400), expected, "{failures} {asked}");
    }
    assert_eq!([pause(u32::MAX, 0, 86_400), pause(1, u64::MAX, 86_400)], [86_400; 2]);
    assert_eq!([1, 2, 3, 4, 9].map(|failures| pause(failures, 0, 600)), [600, 1_200, 2_400, 3_600, 3_600]);
    assert_eq!([pause(1, 0, 60), pause(9, 0, 60)], [60, 3_600]);
}

#[tokio::test]
async fn a_builder_without_an_edition_is_asked_again_within_ten_seconds() {
    let folder = tempfile::tempdir().unwrap();
    let job = job(folder.path(), Duration::ZERO, None);
    let mut job = UpdateDataset { is_from_builder: true, awaits_builder: true, ..job };
    let pauses = [1, 2, 3, 4, 5, u32::MAX].map(|failures| {
        job.failures = failures;
        job.period().as_secs()
    });
    assert_eq!(pauses, [1, 2, 4, 8, 10, 10]);
}

#[tokio::test]
async fn the_first_update_keeps_its_distance_from_a_failed_one() {
    let failed = AttemptOutcome::Failed {
        cause: "503".to_owned(),
        reason: String::new(),
        needs_operator: false,
        force_helps: false,
    };
    for (outcome, at, delay, expected) in [
        (Some(failed.clone()), "2026-11-21T14:58:00Z", 0, 480),
        (Some(failed.clone()), "2026-11-21T14:58:00Z", 500, 500),
        (Some(failed.clone()), "2026-11-21T14:00:00Z", 0, 0),
        (Some(failed), "2026-11-21T15:30:00Z", 0, 0),
        (Some(AttemptOutcome::Unchanged), "2026-11-21T14:58:00Z", 0, 0),
        (None, "2026-11-21T14:58:00Z", 2, 2),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let last = outcome.map(|outcome| DatasetAttempt { at: at.parse().unwrap(), outcome });
        let job = job(folder.path(), Duration::from_secs(delay), last.as_ref());
        assert_eq!(job.delay.as_secs(), expected, "{last:?}");
        let statuses = job.statuses.statuses();
        let shown = statuses.iter().find(|status| status.name == DATASET.name).unwrap().next_update;
        assert_eq!(shown, Some(now() + SignedDuration::from_secs(expected as i64)), "{last:?}");
    }
}
