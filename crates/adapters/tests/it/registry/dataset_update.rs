//! Updates of the other datasets, from a server that plays their publishers'.

mod months;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::download::{DownloadError, DownloadLimits, Downloader, USER_AGENT};
use kuraka_adapters::registry::update::{DatasetUpdate, Imported, UpdateError};
use kuraka_adapters::registry::{AttemptOutcome, last_attempt};
use kuraka_domain::{Date, Ruc, RucKind};
use kuraka_registry::dataset::{ANEXOS, Column, DATOS_ABIERTOS, Dataset, PADRON, RETENCION, SANCIONES, SSCO, named};
use kuraka_registry::{
    DatasetEdition, DatasetReport, DateOrigin, FileVersion, ImportError, NoProgress, PublishResult, SourceFile,
    dataset_editions, open_current,
};
use kuraka_sandbox::sample;
use tempfile::TempDir;
use tokio::sync::Semaphore;

use super::published::{CUSTOMS, list, padron};
use super::update::{Ticking, published, unchanged, updater};
use crate::http::client;
use crate::script::{Answer, Server, answer};

async fn update(
    folder: &TempDir,
    dataset: &'static Dataset,
    address: &str,
    force: bool,
) -> Result<Option<DatasetReport>, UpdateError> {
    let updated = updater(folder, dataset, address).run(&Ticking::default(), force, Arc::new(NoProgress)).await?;
    Ok(updated.and_then(|imported| match imported {
        Imported::Dataset(report) => Some(report),
        Imported::Padron(_) => None,
    }))
}

/// A dataset's piece of the sample, as published in this version.
fn piece(dataset: &Dataset, etag: &str) -> Answer {
    let pieces = sample::datasets().unwrap();
    published(etag, &pieces.iter().find(|piece| piece.dataset == dataset.name).unwrap().bytes)
}

fn missing() -> Answer {
    answer("404 Not Found", &["Content-Length: 0"], "")
}

/// The current edition of a dataset.
fn current(folder: &TempDir, dataset: &'static Dataset) -> DatasetEdition {
    let kept = dataset_editions(folder.path(), dataset).unwrap();
    DatasetEdition::open(dataset, &kept.iter().find(|kept| kept.current).unwrap().path).unwrap()
}

/// Whether any file of the folder contains `text`.
fn is_stored(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return is_stored(&path, text);
        }
        std::fs::read(path).unwrap().windows(text.len()).any(|window| window == text.as_bytes())
    })
}

/// The path and the headers with this name of each request.
fn asked(server: &Server, header: &str) -> Vec<(String, Option<String>)> {
    let one = |head: &String| {
        let path = head.split(' ').nth(1).unwrap().to_owned();
        (path, head.lines().find_map(|line| line.strip_prefix(header)).map(str::to_owned))
    };
    server.asked().iter().map(one).collect()
}

#[tokio::test]
async fn every_dataset_is_updated_from_its_published_file() {
    for part in sample::datasets().unwrap() {
        let dataset = named(part.dataset).unwrap();
        let server = Server::start([published("a", &part.bytes), unchanged()]);
        let folder = TempDir::new().unwrap();
        let address = server.url.replace("padron.zip", part.file_name);
        let report = update(&folder, dataset, &address, false).await.unwrap().unwrap();
        assert_eq!(report.outcome, PublishResult::Published, "{}", part.dataset);
        assert_eq!(current(&folder, dataset).rows(), report.rows);
        assert!(update(&folder, dataset, &address, false).await.unwrap().is_none(), "{}", part.dataset);
        let agent = dataset.user_agent.map_or("user-agent: mozilla/5.0".to_owned(), |it| format!("user-agent: {it}"));
        let requests = server.asked();
        assert!(requests[0].contains(&agent.to_lowercase()), "{}: {requests:?}", part.dataset);
        assert!(requests[1].contains("if-none-match: \"a\""), "{}: {requests:?}", part.dataset);
    }
}

#[tokio::test]
async fn a_list_is_published_without_another_import_of_the_padron() {
    let padrones = Server::start([published("padron-1", padron(&[CUSTOMS]))]);
    let folder = TempDir::new().unwrap();
    updater(&folder, &PADRON, &padrones.url).run(&Ticking::default(), false, Arc::new(NoProgress)).await.unwrap();
    let before = open_current(folder.path()).unwrap().edition.unwrap().label().to_owned();
    let server =
        Server::start([published("a", list(&["20131312955"])), published("b", list(&["20131312955", "20100070970"]))]);
    for rows in [1, 2] {
        assert_eq!(update(&folder, &RETENCION, &server.url, false).await.unwrap().unwrap().rows, rows);
    }
    let ruc = Ruc::parse("20100070970").unwrap();
    assert_eq!(current(&folder, &RETENCION).lookup(ruc).unwrap().len(), 1);
    assert_eq!(open_current(folder.path()).unwrap().edition.unwrap().label(), before);
    assert_eq!(padrones.asked().len(), 1);
}

#[tokio::test]
async fn a_server_that_refuses_the_client_is_asked_once() {
    for status in ["418 I'm a teapot", "403 Forbidden"] {
        let server = Server::start([answer(status, &["Content-Length: 0"], "")]);
        let address = server.url.replace("padron.zip", "PadronRUC_{AAAAMM}.zip");
        let folder = TempDir::new().unwrap();
        let error = update(&folder, &DATOS_ABIERTOS, &address, false).await.unwrap_err();
        assert!(!error.may_pass());
        let AttemptOutcome::Failed { cause } = last_attempt(folder.path(), &DATOS_ABIERTOS).unwrap().outcome else {
            panic!("{error:?}")
        };
        assert!(cause.starts_with("datos_abiertos could not be fetched: "), "{cause}");
        assert!(cause.contains("the server refused this client"), "{cause}");
        assert_eq!(server.asked().len(), 1, "{status}: no other month");
    }
}

#[tokio::test]
async fn a_signed_address_is_followed_and_never_stored() {
    let moved =
        |sig: &str| answer("302 Found", &[&format!("Location: /files/7?signature={sig}"), "Content-Length: 0"], "");
    let server = Server::start([moved("s3cr3t"), piece(&SANCIONES, "a"), moved("an0th3r"), unchanged()]);
    let folder = TempDir::new().unwrap();
    update(&folder, &SANCIONES, &server.url, false).await.unwrap().unwrap();
    assert!(update(&folder, &SANCIONES, &server.url, false).await.unwrap().is_none());
    let paths: Vec<_> = asked(&server, "if-none-match: ").into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["/padron.zip", "/files/7?signature=s3cr3t", "/padron.zip", "/files/7?signature=an0th3r"]);
    assert!(is_stored(folder.path(), "/padron.zip") && !is_stored(folder.path(), "signature"));
}

#[tokio::test]
async fn a_secret_in_an_address_is_sent_and_not_shown() {
    let server = Server::start([missing(), piece(&ANEXOS, "a"), unchanged()]);
    let folder = TempDir::new().unwrap();
    let address = format!("{}?key=s3cr3t", server.url.replace("http://", "http://ana:s3cr3t@"));
    let error = update(&folder, &ANEXOS, &address, false).await.unwrap_err();
    assert!(!kuraka_ports::chain(&error).contains("s3cr3t"), "{error:?}");
    let label = update(&folder, &ANEXOS, &address, false).await.unwrap().unwrap().label;
    assert!(update(&folder, &ANEXOS, &address, false).await.unwrap().is_none());
    assert!(server.asked().iter().all(|head| head.contains("?key=s3cr3t") && head.contains("authorization: basic")));
    assert!(server.asked()[2].contains("if-none-match: \"a\""));
    let own = folder.path().join("datasets/anexos");
    assert!(!is_stored(&own.join("editions"), "s3cr3t"), "{label}");
    assert!(!std::fs::read_to_string(own.join("downloads/last_try")).unwrap().contains("s3cr3t"));
}

#[tokio::test]
async fn redirects_without_end_are_an_error_without_the_signature() {
    let moved = || answer("302 Found", &["Location: /again?signature=s3cr3t", "Content-Length: 0"], "");
    let server = Server::start((0..6).map(|_| moved()));
    let folder = TempDir::new().unwrap();
    let error = update(&folder, &SANCIONES, &server.url, false).await.unwrap_err();
    let UpdateError::Download { source, .. } = &error else { panic!("{error:?}") };
    assert!(matches!(source, DownloadError::Redirect { .. }) && source.to_string().contains("/again"), "{source}");
    assert!(!is_stored(folder.path(), "signature"));
    assert_eq!(server.asked().len(), 6);
}

#[tokio::test]
async fn a_web_page_instead_of_a_workbook_names_the_dataset() {
    let page = published("page", "<!DOCTYPE html><html><body>En mantenimiento</body></html>");
    let server = Server::start([piece(&SSCO, "a"), page]);
    let folder = TempDir::new().unwrap();
    update(&folder, &SSCO, &server.url, false).await.unwrap();
    let error = update(&folder, &SSCO, &server.url, false).await.unwrap_err();
    assert!(matches!(error, UpdateError::Import(ImportError::Read(_))) && error.may_pass(), "{error:?}");
    let AttemptOutcome::Failed { cause } = last_attempt(folder.path(), &SSCO).unwrap().outcome else { panic!() };
    assert!(cause.contains("ssco") && cause.contains("HTML page"), "{cause}");
    assert!(current(&folder, &SSCO).rows() > 0, "the edition before stays");
    assert!(!is_stored(folder.path(), "mantenimiento"));
}

#[tokio::test]
async fn a_file_of_another_dataset_is_refused_by_name_and_not_fetched_twice() {
    let server = Server::start([piece(&DATOS_ABIERTOS, "a"), unchanged(), unchanged(), piece(&ANEXOS, "b")]);
    let folder = TempDir::new().unwrap();
    let error = update(&folder, &ANEXOS, &server.url, false).await.unwrap_err();
    assert!(kuraka_ports::chain(&error).contains("datos_abiertos") && !error.may_pass(), "{error:?}");
    assert!(!folder.path().join("datasets/anexos/downloads/anexos").exists(), "the file has persons' rows");
    for _ in 0..2 {
        let error = update(&folder, &ANEXOS, &server.url, false).await.unwrap_err();
        assert!(matches!(error, UpdateError::Refused { .. }) && !error.may_pass(), "{error:?}");
        assert!(error.to_string().contains("datos_abiertos"), "{error}");
    }
    assert!(update(&folder, &ANEXOS, &server.url, false).await.unwrap().is_some(), "another file is imported");
    let asked = asked(&server, "if-none-match: ");
    let conditions: Vec<_> = asked.iter().map(|(_, condition)| condition.as_deref()).collect();
    assert_eq!(conditions, [None, Some("\"a\""), Some("\"a\""), Some("\"a\"")]);
}

#[tokio::test]
async fn a_refused_file_is_fetched_again_if_it_is_forced() {
    let server = Server::start([piece(&DATOS_ABIERTOS, "a"), piece(&DATOS_ABIERTOS, "a")]);
    let folder = TempDir::new().unwrap();
    for force in [false, true] {
        let error = update(&folder, &ANEXOS, &server.url, force).await.unwrap_err();
        assert!(matches!(error, UpdateError::Import(ImportError::Read(_))), "{error:?}");
    }
    assert!(!server.asked()[1].contains("if-none-match"));
}

#[tokio::test]
async fn a_server_that_asks_for_a_long_wait_is_left_alone() {
    let busy = answer("503 Service Unavailable", &["Content-Length: 0", "Retry-After: 7200"], "");
    let server = Server::start([busy]);
    let folder = TempDir::new().unwrap();
    let error = update(&folder, &ANEXOS, &server.url, false).await.unwrap_err();
    assert_eq!((error.may_pass(), error.retry_after()), (true, Some(Duration::from_secs(7_200))), "{error:?}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_guarded_file_is_kept_until_it_is_forced() {
    let many: Vec<String> = (0..40).map(|n| Ruc::from_parts(RucKind::LegalPerson, n).unwrap().to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let server =
        Server::start([published("a", list(&many)), published("b", list(&many[..2])), unchanged(), unchanged()]);
    let folder = TempDir::new().unwrap();
    update(&folder, &RETENCION, &server.url, false).await.unwrap();
    for _ in 0..2 {
        let error = update(&folder, &RETENCION, &server.url, false).await.unwrap_err();
        assert!(matches!(error, UpdateError::Import(ImportError::Guard(_))) && !error.may_pass(), "{error:?}");
    }
    let report = update(&folder, &RETENCION, &server.url, true).await.unwrap().unwrap();
    assert_eq!((report.rows, report.forced.is_empty()), (2, false));
    assert!(server.asked()[3].contains("if-none-match: \"b\""));
    assert!(!folder.path().join("datasets/retencion/downloads/retencion").exists());
}

#[tokio::test]
async fn a_damaged_edition_of_a_dataset_is_fetched_again() {
    let server = Server::start([piece(&ANEXOS, "a"), piece(&ANEXOS, "a")]);
    let folder = TempDir::new().unwrap();
    let label = update(&folder, &ANEXOS, &server.url, false).await.unwrap().unwrap().label;
    let path = folder.path().join(format!("datasets/anexos/editions/{label}.kuraka"));
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let report = update(&folder, &ANEXOS, &server.url, false).await.unwrap().unwrap();
    assert_eq!(report.outcome, PublishResult::Published);
    assert!(!server.asked()[1].contains("if-none-match"));
    assert!(current(&folder, &ANEXOS).rows() > 0);
}

#[tokio::test]
async fn an_edition_of_a_version_that_read_fewer_fields_is_built_again() {
    static FEWER: Dataset = Dataset { columns: &COLUMNS, ..RETENCION };
    const COLUMNS: [Column; 4] = [
        Column::ruc("Ruc"),
        Column::dropped("Nombre/Razon"),
        Column::dropped("A partir del"),
        Column::text("Resolucion", "resolucion"),
    ];
    let server = Server::start([published("a", list(&["20131312955"])), unchanged()]);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("list");
    std::fs::write(&path, list(&["20131312955"])).unwrap();
    let version = FileVersion {
        name: server.url.clone(),
        etag: Some("\"a\"".to_owned()),
        last_modified: Some("Fri, 20 Nov 2026 04:59:59 GMT".to_owned()),
    };
    let (today, origin) = (Date::new(2026, 11, 19).unwrap(), kuraka_registry::Origin::Published);
    let source = SourceFile { path, version };
    let request = kuraka_registry::DatasetImport { source, date: None, served_on: None, today, origin, force: false };
    kuraka_registry::import_dataset(folder.path(), &FEWER, &request, &NoProgress).unwrap();
    assert!(!current(&folder, &RETENCION).has_all_fields());
    let report = update(&folder, &RETENCION, &server.url, false).await.unwrap().unwrap();
    assert_eq!(report.outcome, PublishResult::Published);
    assert!(current(&folder, &RETENCION).has_all_fields() && !server.asked()[0].contains("if-none-match"));
    assert!(update(&folder, &RETENCION, &server.url, false).await.unwrap().is_none());
}

#[tokio::test]
async fn the_same_file_with_another_date_of_the_server_is_unchanged() {
    let body = list(&["20131312955"]);
    let dated = |etag: &str, day: u8| {
        let (length, etag) = (format!("Content-Length: {}", body.len()), format!("ETag: \"{etag}\""));
        let modified = format!("Last-Modified: {day} Nov 2026 04:59:59 GMT");
        answer("200 OK", &[&length, &etag, &modified], &body)
    };
    let server = Server::start([dated("a", 18), dated("b", 19), unchanged()]);
    let folder = TempDir::new().unwrap();
    let first = update(&folder, &RETENCION, &server.url, false).await.unwrap().unwrap();
    assert_eq!((first.outcome, first.date_origin), (PublishResult::Published, DateOrigin::Server));
    let second = update(&folder, &RETENCION, &server.url, false).await.unwrap().unwrap();
    assert_eq!((second.outcome, second.label), (PublishResult::Unchanged, first.label));
    assert!(update(&folder, &RETENCION, &server.url, false).await.unwrap().is_none());
    assert!(server.asked()[2].contains("if-none-match: \"b\""));
}

#[tokio::test]
async fn an_edition_of_a_builder_is_adopted() {
    let builder = TempDir::new().unwrap();
    let publisher = Server::start([piece(&ANEXOS, "a")]);
    let built = update(&builder, &ANEXOS, &publisher.url, false).await.unwrap().unwrap();
    let file = builder.path().join(format!("datasets/anexos/editions/{}.kuraka", built.label));
    let server = Server::start([published("edition", std::fs::read(file).unwrap()), unchanged()]);
    let replica = TempDir::new().unwrap();
    let report = update(&replica, &ANEXOS, &server.url, false).await.unwrap().unwrap();
    assert_eq!((report.adopted, &report.label, report.rows), (true, &built.label, built.rows));
    assert!(update(&replica, &ANEXOS, &server.url, false).await.unwrap().is_none());
    assert!(server.asked()[1].contains("if-none-match: \"edition\""));
}

#[tokio::test]
async fn a_file_over_the_limit_of_its_dataset_is_refused() {
    let length = format!("Content-Length: {}", SSCO.limits.text + 1);
    let server = Server::start([answer("200 OK", &[&length], "")]);
    let folder = TempDir::new().unwrap();
    let downloader = Downloader::new(client(USER_AGENT), DownloadLimits::default());
    let turns = Arc::new(Semaphore::new(1));
    let update = DatasetUpdate::new(folder.path().to_owned(), &SSCO, server.url.clone(), &downloader, turns);
    let error = update.run(&Ticking::default(), false, Arc::new(NoProgress)).await.unwrap_err();
    let UpdateError::Download { source: DownloadError::TooLarge { limit, .. }, .. } = error else {
        panic!("{error:?}")
    };
    assert_eq!(limit, SSCO.limits.text);
}

#[tokio::test]
async fn one_dataset_that_fails_does_not_stop_another() {
    let (down, up) = (Server::start([missing()]), Server::start([piece(&SANCIONES, "a")]));
    let folder = TempDir::new().unwrap();
    let (anexos, sanciones) =
        tokio::join!(update(&folder, &ANEXOS, &down.url, false), update(&folder, &SANCIONES, &up.url, false));
    assert!(anexos.is_err());
    assert_eq!(sanciones.unwrap().unwrap().outcome, PublishResult::Published);
    assert!(last_attempt(folder.path(), &ANEXOS).unwrap().outcome.is_failure());
    assert!(!last_attempt(folder.path(), &SANCIONES).unwrap().outcome.is_failure());
}
