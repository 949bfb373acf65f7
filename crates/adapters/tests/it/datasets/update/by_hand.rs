//! Imports of a file that an operator names.

use kuraka_adapters::datasets::update::{ManualUpdate, UpdateError};
use kuraka_domain::Date;
use kuraka_ports::AttemptOutcome;
use kuraka_registry::{DateOrigin, ImportError, PublishResult};

use super::super::CASES;
use super::{Home, conditions, day, missing, published, tag, unchanged};
use crate::script::Server;

const FORCED: ManualUpdate = ManualUpdate { date: None, sha256: None, force: true };

/// A file with rows of this many companies in the registry's folder.
fn file(home: &Home, companies: u32) -> String {
    let path = home.folder.path().join(format!("{companies}-companies"));
    std::fs::write(&path, home.file(companies)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[tokio::test]
async fn only_a_success_is_recorded_as_an_attempt() {
    for home in CASES.map(Home::new) {
        let server = Server::start([published("a", home.file(40)), missing()]);
        home.update(&server.url).await.unwrap();
        let attempt = home.last_attempt();
        let error = home.import(&file(&home, 2), ManualUpdate::default()).await.unwrap_err();
        assert!(matches!(error, UpdateError::Import(ImportError::Guard { .. })), "{error:?}");
        let error = home.import("/no/such/file", ManualUpdate::default()).await.unwrap_err();
        assert!(matches!(error, UpdateError::Import(ImportError::Read(_))), "{error:?}");
        let error = home.import(&server.url, ManualUpdate::default()).await.unwrap_err();
        assert!(matches!(error, UpdateError::Download { .. }), "{error:?}");
        assert_eq!(home.last_attempt(), attempt);
        let report = home.import(&file(&home, 2), FORCED).await.unwrap();
        assert_eq!((report.rows, report.forced.is_empty()), (2, false));
        let outcome = AttemptOutcome::Published { edition: report.label };
        assert_eq!(home.last_attempt().unwrap().outcome, outcome);
    }
}

#[tokio::test]
async fn a_file_has_the_date_of_the_operator_or_of_the_server() {
    for home in CASES.map(Home::new) {
        let whole = || published("a", home.file(3));
        let server = Server::start([whole(), whole()]);
        let report = home.import(&server.url, ManualUpdate::default()).await.unwrap();
        assert_eq!((report.date, report.date_origin), (day(), DateOrigin::Server));
        assert_eq!(home.downloaded(), [format!("by-hand-{}.lock", home.dataset.name), "last_attempt".to_owned()]);
        let date = Date::new(2026, 11, 20).ok();
        let report = home.import(&server.url, ManualUpdate { date, ..ManualUpdate::default() }).await.unwrap();
        assert_eq!((Some(report.date), report.date_origin), (date, DateOrigin::Request));
        assert_eq!(conditions(&server), [None, None]);
    }
}

#[tokio::test]
async fn an_import_by_hand_ends_the_refusal_of_a_file() {
    for home in CASES.map(Home::new) {
        let shrunk = || published("b", home.file(2));
        let server = Server::start([published("a", home.file(40)), shrunk(), shrunk(), unchanged()]);
        home.update(&server.url).await.unwrap();
        home.update(&server.url).await.unwrap_err();
        home.import(&file(&home, 2), FORCED).await.unwrap();
        let report = home.update(&server.url).await.unwrap().unwrap();
        assert_eq!((report.outcome, report.rows), (PublishResult::Unchanged, 2));
        assert!(home.update(&server.url).await.unwrap().is_none());
        assert_eq!(conditions(&server), [None, tag("a"), None, tag("b")], "the file is compared with the new edition");
    }
}
