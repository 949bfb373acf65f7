//! Updates of the padrón, from a server that plays SUNAT's.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use kuraka_adapters::download::{DownloadError, DownloadLimits, Downloader, USER_AGENT};
use kuraka_adapters::registry::update::{DatasetUpdate, Imported, UpdateError};
use kuraka_adapters::registry::{AttemptOutcome, DatasetAttempt, last_attempt};
use kuraka_domain::{Date, Ruc};
use kuraka_ports::Clock;
use kuraka_registry::dataset::{ANEXOS, Dataset, PADRON};
use kuraka_registry::{ImportError, ImportReport, NoProgress, PublishResult, open_current};
use tempfile::TempDir;
use tokio::sync::Semaphore;

use super::published::{CUSTOMS, MARKET, padron, person, person_line};
use crate::http::client;
use crate::script::{Answer, Server, answer};

/// Saturday morning in Peru.
fn now() -> Timestamp {
    "2026-11-21T15:00:00Z".parse().unwrap()
}

/// A clock that begins at [`now`] and shows a second more at each look.
#[derive(Default)]
pub(super) struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        now() + SignedDuration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }

    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }
}

/// An update of this dataset from this address.
pub(super) fn updater(folder: &TempDir, dataset: &'static Dataset, address: &str) -> DatasetUpdate {
    let limits = DownloadLimits { attempts: 1, pause: Duration::ZERO, max_bytes: 1 << 20, ..DownloadLimits::default() };
    let downloader = Downloader::new(client(USER_AGENT), limits);
    DatasetUpdate::new(folder.path().to_owned(), dataset, address.to_owned(), &downloader, Arc::new(Semaphore::new(1)))
}

async fn update(folder: &TempDir, server: &Server, force: bool) -> Result<Option<ImportReport>, UpdateError> {
    let updated = updater(folder, &PADRON, &server.url).run(&Ticking::default(), force, Arc::new(NoProgress)).await?;
    Ok(updated.and_then(|imported| match imported {
        Imported::Padron(report) => Some(report),
        Imported::Dataset(_) => None,
    }))
}

/// A file as published, in the version `etag`.
pub(super) fn published(etag: &str, body: impl AsRef<[u8]>) -> Answer {
    let length = format!("Content-Length: {}", body.as_ref().len());
    let etag = format!("ETag: \"{etag}\"");
    // Still the 19th in Peru.
    answer("200 OK", &[&length, &etag, "Last-Modified: Fri, 20 Nov 2026 04:59:59 GMT"], body)
}

pub(super) fn unchanged() -> Answer {
    answer("304 Not Modified", &[], "")
}

/// The padrón of a first update.
fn first() -> Answer {
    published("padron-1", padron(&[CUSTOMS, MARKET, &person_line()]))
}

/// Whether the current edition knows `ruc`.
fn knows(folder: &TempDir, ruc: &str) -> bool {
    let edition = open_current(folder.path()).unwrap().edition.unwrap();
    edition.lookup(Ruc::parse(ruc).unwrap()).unwrap().is_some()
}

#[tokio::test]
async fn a_first_update_publishes_what_the_server_has() {
    let server = Server::start([first()]);
    let folder = TempDir::new().unwrap();
    let report = update(&folder, &server, false).await.unwrap().unwrap();
    assert_eq!((report.outcome, report.rows), (PublishResult::Published, 3));
    assert_eq!(report.date, Date::new(2026, 11, 19).unwrap());
    assert!(knows(&folder, "20131312955") && knows(&folder, &person().to_string()));
    let attempt = last_attempt(folder.path(), &PADRON).unwrap();
    let ended = now() + SignedDuration::from_secs(1);
    assert_eq!(attempt, DatasetAttempt { at: ended, outcome: AttemptOutcome::Published { edition: report.label } });
}

#[tokio::test]
async fn an_update_without_changes_makes_one_conditional_request() {
    let server = Server::start([first(), unchanged()]);
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    assert!(update(&folder, &server, false).await.unwrap().is_none());
    let asked = server.asked();
    assert!(asked[1].contains("if-none-match: \"padron-1\""), "{asked:?}");
    assert_eq!(asked.len(), 2);
    assert_eq!(last_attempt(folder.path(), &PADRON).unwrap().outcome, AttemptOutcome::Unchanged);
}

#[tokio::test]
async fn a_damaged_edition_is_imported_again_without_a_download() {
    let server = Server::start([first(), unchanged()]);
    let folder = TempDir::new().unwrap();
    let label = update(&folder, &server, false).await.unwrap().unwrap().label;
    let path = folder.path().join(format!("editions/{label}.kuraka"));
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let report = update(&folder, &server, false).await.unwrap().unwrap();
    assert_eq!(report.outcome, PublishResult::Published);
    assert!(knows(&folder, "20131312955"));
}

#[tokio::test]
async fn a_padron_that_cannot_be_fetched_changes_nothing() {
    let unavailable = answer("503 Service Unavailable", &["Content-Length: 0"], "");
    let server = Server::start([first(), unavailable]);
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    let error = update(&folder, &server, false).await.unwrap_err();
    assert!(matches!(error, UpdateError::Download { source: DownloadError::Transfer { .. }, .. }), "{error:?}");
    assert!(error.may_pass());
    assert!(knows(&folder, "20131312955"));
    let AttemptOutcome::Failed { cause } = last_attempt(folder.path(), &PADRON).unwrap().outcome else { panic!() };
    assert!(cause.starts_with("padron could not be fetched: ") && cause.contains("503"), "{cause}");
}

#[tokio::test]
async fn a_web_page_instead_of_the_padron_is_not_imported() {
    let page = published("page", "<!DOCTYPE html><html><body>En mantenimiento</body></html>");
    let server = Server::start([first(), page]);
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    let error = update(&folder, &server, false).await.unwrap_err();
    assert!(matches!(error, UpdateError::Import(ImportError::Source { .. })), "{error:?}");
    assert!(knows(&folder, "20131312955"));
}

#[tokio::test]
async fn a_refused_import_can_be_forced_without_another_download() {
    let shrunk = published("padron-2", padron(&[CUSTOMS]));
    let server = Server::start([first(), shrunk, unchanged()]);
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    let error = update(&folder, &server, false).await.unwrap_err();
    assert!(matches!(error, UpdateError::Import(ImportError::Guard(_))), "{error:?}");
    assert!(!error.may_pass());
    let report = update(&folder, &server, true).await.unwrap().unwrap();
    assert_eq!((report.outcome, report.rows), (PublishResult::Published, 1));
    assert!(server.asked()[2].contains("if-none-match: \"padron-2\""));
}

#[tokio::test]
async fn an_edition_without_its_downloads_is_still_up_to_date() {
    let server = Server::start([first(), unchanged()]);
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    std::fs::remove_dir_all(folder.path().join("downloads")).unwrap();
    assert!(update(&folder, &server, false).await.unwrap().is_none());
    assert!(server.asked()[1].contains("if-none-match: \"padron-1\""));
}

#[tokio::test]
async fn a_note_of_version_0_1_makes_the_next_update_conditional() {
    let server = Server::start([first(), unchanged()]);
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    let note = serde_json::json!({
        "url": server.url, "etag": "\"padron-1\"", "last_modified": "Fri, 20 Nov 2026 04:59:59 GMT"
    });
    std::fs::write(folder.path().join("downloads/padron.note"), note.to_string()).unwrap();
    assert!(update(&folder, &server, false).await.unwrap().is_none());
    assert!(server.asked()[1].contains("if-none-match: \"padron-1\""));
}

#[tokio::test]
async fn an_update_without_a_url_fails() {
    let folder = TempDir::new().unwrap();
    for (dataset, setting) in [(&PADRON, "registry.padron_url"), (&ANEXOS, "datasets.anexos.url")] {
        let error =
            updater(&folder, dataset, "").run(&Ticking::default(), false, Arc::new(NoProgress)).await.unwrap_err();
        assert!(matches!(error, UpdateError::NoAddress { .. }), "{error:?}");
        assert!(error.to_string().contains(setting), "{error}");
    }
}
