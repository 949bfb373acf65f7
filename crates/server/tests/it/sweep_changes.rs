//! The job that removes old changes removes old downloads too, and goes on after a dataset that it cannot sweep.

use std::fs::{self, File};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use kuraka_ports::fake::ManualClock;
use kuraka_registry::dataset::ALL;
use kuraka_server::background::{Job, SweepChanges};

#[tokio::test]
async fn a_download_of_a_killed_process_stays_for_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let downloads = folder.path().join("anexos/downloads");
    fs::create_dir_all(&downloads).unwrap();
    for name in ["anexos", "anexos.part", "anexos.note"] {
        File::create(downloads.join(name)).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
    }
    let clock = Arc::new(ManualClock::at(Timestamp::UNIX_EPOCH));
    let mut job = SweepChanges { registry: folder.path().to_owned(), kept_days: 1, clock: clock.clone() };
    for expected in [3, 1] {
        assert!(job.tick(0).await);
        assert_eq!(fs::read_dir(&downloads).unwrap().count(), expected);
        clock.advance(Duration::from_secs(25 * 3_600));
    }
}

#[tokio::test]
async fn a_dataset_that_cannot_be_swept_delays_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let lists = |dataset: &str| folder.path().join(dataset).join("changes");
    let [.., broken, last] = ALL else { panic!("there are several datasets") };
    // A list cannot be read where there is a file instead of the folder of lists.
    fs::create_dir_all(folder.path().join(broken.name)).unwrap();
    File::create(lists(broken.name)).unwrap();
    fs::create_dir_all(lists(last.name)).unwrap();
    let list = |name: &str| {
        let path = lists(last.name).join(name);
        File::create(&path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        path
    };
    let old = list("000002-2026-01-01-00000000..2026-01-02-00000000.kuraka-changes");
    list("000003-2026-01-02-00000000..2026-01-03-00000000.kuraka-changes");
    let clock = Arc::new(ManualClock::at("2026-11-20T15:00:00Z".parse().unwrap()));
    let mut job = SweepChanges { registry: folder.path().to_owned(), kept_days: 1, clock };
    assert!(!job.tick(0).await);
    assert!(!old.exists());
}
