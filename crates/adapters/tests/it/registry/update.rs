//! Updates of the registry, from a server that plays SUNAT's.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::download::{DownloadError, DownloadLimits, Downloader, USER_AGENT};
use kuraka_adapters::registry::update::{Addresses, RegistryUpdate, UpdateError, Updated};
use kuraka_domain::{Date, Ruc};
use kuraka_registry::{ImportError, List, NoProgress, PublishResult, open_current};
use tempfile::TempDir;

use super::published::{CUSTOMS, MARKET, list, padron, person, person_line};
use crate::http::client;
use crate::script::{Answer, Server, answer};

async fn update(folder: &TempDir, server: &Server, force: bool) -> Result<Updated, UpdateError> {
    let at = |file| server.url.replace("padron.zip", file);
    let lists = [(List::WITHHOLDING_AGENTS, at("agents.zip")), (List::GOOD_TAXPAYERS, at("good.zip"))];
    let addresses = Addresses { padron: server.url.clone(), lists: BTreeMap::from(lists) };
    let limits = DownloadLimits { attempts: 1, pause: Duration::ZERO, max_bytes: 1 << 20, ..DownloadLimits::default() };
    let downloader = Downloader::new(client(USER_AGENT), limits);
    let update = RegistryUpdate::new(folder.path().to_owned(), addresses, downloader);
    update.run(Date::new(2026, 11, 21).unwrap(), force, Arc::new(NoProgress)).await
}

/// A file as published, in the version `etag`.
fn published(etag: &str, body: impl AsRef<[u8]>) -> Answer {
    let length = format!("Content-Length: {}", body.as_ref().len());
    let etag = format!("ETag: \"{etag}\"");
    // Still the 19th in Peru.
    answer("200 OK", &[&length, &etag, "Last-Modified: Fri, 20 Nov 2026 04:59:59 GMT"], body)
}

fn unchanged() -> Answer {
    answer("304 Not Modified", &[], "")
}

/// The three files of a first update.
fn first() -> [Answer; 3] {
    let padron = padron(&[CUSTOMS, MARKET, &person_line()]);
    [
        published("padron-1", padron),
        published("agents-1", list(&["20131312955"])),
        published("good-1", list(&["20100070970"])),
    ]
}

/// Whether `ruc` is on the list of withholding agents.
fn withholds(folder: &Path, ruc: &str) -> bool {
    let edition = open_current(folder).unwrap().edition.unwrap();
    edition.lookup(Ruc::parse(ruc).unwrap()).unwrap().unwrap().withholding_agent
}

#[tokio::test]
async fn a_first_update_publishes_what_the_server_has() {
    let server = Server::start(first());
    let folder = TempDir::new().unwrap();
    let updated = update(&folder, &server, false).await.unwrap();
    let report = updated.imported.unwrap();
    assert_eq!((report.outcome, report.rows), (PublishResult::Published, 3));
    assert_eq!(report.date, Date::new(2026, 11, 19).unwrap());
    assert!(updated.missing_lists.is_empty());
    assert!(withholds(folder.path(), "20131312955"));
    assert!(!withholds(folder.path(), &person().to_string()));
}

#[tokio::test]
async fn an_update_without_changes_makes_three_conditional_requests() {
    let server = Server::start(first().into_iter().chain([unchanged(), unchanged(), unchanged()]));
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    let updated = update(&folder, &server, false).await.unwrap();
    assert!(updated.imported.is_none());
    let asked = server.asked();
    for (question, etag) in asked[3..].iter().zip(["padron-1", "agents-1", "good-1"]) {
        assert!(question.contains(&format!("if-none-match: \"{etag}\"")), "{question}");
    }
    assert_eq!(asked.len(), 6);
}

#[tokio::test]
async fn a_damaged_edition_is_imported_again_without_a_download() {
    let server = Server::start(first().into_iter().chain([unchanged(), unchanged(), unchanged()]));
    let folder = TempDir::new().unwrap();
    let label = update(&folder, &server, false).await.unwrap().imported.unwrap().label;
    let path = folder.path().join(format!("editions/{label}.kuraka"));
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let updated = update(&folder, &server, false).await.unwrap();
    assert_eq!(updated.imported.unwrap().outcome, PublishResult::Published);
    assert!(withholds(folder.path(), "20131312955"));
}

#[tokio::test]
async fn a_changed_list_is_imported_without_another_padron_download() {
    let changed = published("agents-2", list(&["20100070970"]));
    let server = Server::start(first().into_iter().chain([unchanged(), changed, unchanged()]));
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    let updated = update(&folder, &server, false).await.unwrap();
    assert_eq!(updated.imported.unwrap().outcome, PublishResult::Published);
    assert!(!withholds(folder.path(), "20131312955"));
    assert!(withholds(folder.path(), "20100070970"));
}

#[tokio::test]
async fn a_list_that_cannot_be_fetched_is_carried_over() {
    let next = padron(&[CUSTOMS, MARKET, &person_line(), "20100017491|TRES S.A.|ACTIVO|HABIDO|-|-|-|-|-|-|-|-|-|-|-|"]);
    let forbidden = answer("403 Forbidden", &["Content-Length: 0"], "");
    let second = [published("padron-2", next), forbidden, unchanged()];
    let server = Server::start(first().into_iter().chain(second));
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    let updated = update(&folder, &server, false).await.unwrap();
    assert_eq!(updated.imported.unwrap().rows, 4);
    let [(list, error)] = &updated.missing_lists[..] else { panic!("{:?}", updated.missing_lists) };
    assert_eq!(*list, List::WITHHOLDING_AGENTS);
    assert!(matches!(error, DownloadError::Status { .. }), "{error:?}");
    assert!(withholds(folder.path(), "20131312955"), "the previous edition's list is carried over");
}

#[tokio::test]
async fn a_padron_that_cannot_be_fetched_changes_nothing() {
    let unavailable = answer("503 Service Unavailable", &["Content-Length: 0"], "");
    let server = Server::start(first().into_iter().chain([unavailable]));
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    let error = update(&folder, &server, false).await.unwrap_err();
    assert!(matches!(error, UpdateError::Download(DownloadError::Transfer { .. })), "{error:?}");
    assert!(withholds(folder.path(), "20131312955"));
}

#[tokio::test]
async fn a_web_page_instead_of_the_padron_is_not_imported() {
    let page = published("page", "<!DOCTYPE html><html><body>En mantenimiento</body></html>");
    let server = Server::start(first().into_iter().chain([page, unchanged(), unchanged()]));
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    let error = update(&folder, &server, false).await.unwrap_err();
    assert!(matches!(error, UpdateError::Import(ImportError::Source { .. })), "{error:?}");
    assert!(withholds(folder.path(), "20131312955"));
}

#[tokio::test]
async fn a_refused_import_can_be_forced_without_another_download() {
    let shrunk = published("padron-2", padron(&[CUSTOMS]));
    let second = [shrunk, unchanged(), unchanged()];
    let forced = [unchanged(), unchanged(), unchanged()];
    let server = Server::start(first().into_iter().chain(second).chain(forced));
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    let error = update(&folder, &server, false).await.unwrap_err();
    assert!(matches!(error, UpdateError::Import(ImportError::Guard(_))), "{error:?}");
    let report = update(&folder, &server, true).await.unwrap().imported.unwrap();
    assert_eq!((report.outcome, report.rows), (PublishResult::Published, 1));
    assert!(server.asked()[6].contains("if-none-match: \"padron-2\""));
}

#[tokio::test]
async fn an_edition_without_its_downloads_is_still_up_to_date() {
    let server = Server::start(first().into_iter().chain([unchanged(), unchanged(), unchanged()]));
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    std::fs::remove_dir_all(folder.path().join("downloads")).unwrap();
    assert!(update(&folder, &server, false).await.unwrap().imported.is_none());
    assert!(server.asked()[3].contains("if-none-match: \"padron-1\""));
}

#[tokio::test]
async fn notes_of_version_0_1_make_the_next_update_conditional() {
    let server = Server::start(first().into_iter().chain([unchanged(), unchanged(), unchanged()]));
    let folder = TempDir::new().unwrap();
    update(&folder, &server, false).await.unwrap();
    for (file, path, etag) in
        [("padron", "padron", "padron-1"), ("withholding", "agents", "agents-1"), ("good_taxpayers", "good", "good-1")]
    {
        let url = server.url.replace("padron.zip", &format!("{path}.zip"));
        let note = serde_json::json!({
            "url": url, "etag": format!("\"{etag}\""), "last_modified": "Fri, 20 Nov 2026 04:59:59 GMT"
        });
        std::fs::write(folder.path().join(format!("downloads/{file}.note")), note.to_string()).unwrap();
    }
    assert!(update(&folder, &server, false).await.unwrap().imported.is_none());
    for (question, etag) in server.asked()[3..].iter().zip(["padron-1", "agents-1", "good-1"]) {
        assert!(question.contains(&format!("if-none-match: \"{etag}\"")), "{question}");
    }
}

#[tokio::test]
async fn an_update_without_a_url_fails() {
    let folder = TempDir::new().unwrap();
    let addresses = Addresses { padron: String::new(), lists: BTreeMap::new() };
    let downloader = Downloader::new(client(USER_AGENT), DownloadLimits::default());
    let update = RegistryUpdate::new(folder.path().to_owned(), addresses, downloader);
    let error = update.run(Date::new(2026, 11, 21).unwrap(), false, Arc::new(NoProgress)).await.unwrap_err();
    assert!(matches!(error, UpdateError::NoAddress), "{error:?}");
}
