//! The job that removes old changes removes old downloads too.

use std::fs::{self, File};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use kuraka_ports::fake::ManualClock;
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
        assert!(job.tick().await);
        assert_eq!(fs::read_dir(&downloads).unwrap().count(), expected);
        clock.advance(Duration::from_secs(25 * 3_600));
    }
}
