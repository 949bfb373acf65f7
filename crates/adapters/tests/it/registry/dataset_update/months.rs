//! Monthly files: the newest month is found by trying backwards.

use kuraka_adapters::download::DownloadError;
use kuraka_adapters::registry::update::UpdateError;
use kuraka_domain::Date;
use kuraka_registry::dataset::DATOS_ABIERTOS;
use kuraka_registry::{NoProgress, SourceFile};
use kuraka_sandbox::sample;
use tempfile::TempDir;

use super::{asked, is_stored, missing, piece, update};
use crate::registry::update::{published, unchanged};
use crate::script::{Server, answer};

#[tokio::test]
async fn months_are_tried_backwards_until_one_is_published() {
    let server = Server::start([missing(), missing(), piece(&DATOS_ABIERTOS, "a"), missing(), missing(), unchanged()]);
    let address = server.url.replace("padron.zip", "PadronRUC_{AAAAMM}.zip");
    let folder = TempDir::new().unwrap();
    let report = update(&folder, &DATOS_ABIERTOS, &address, false).await.unwrap().unwrap();
    assert_eq!(report.date, Date::new(2026, 9, 1).unwrap(), "the month of the rows, not the day of the download");
    assert!(update(&folder, &DATOS_ABIERTOS, &address, false).await.unwrap().is_none());
    let path = |month: &str| format!("/padronruc_{month}.zip");
    let wanted = ["202611", "202610", "202609", "202611", "202610", "202609"].map(path);
    let asked = asked(&server, "if-none-match: ");
    assert_eq!(asked.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>(), wanted);
    assert_eq!(asked[5].1.as_deref(), Some("\"a\""));
    let downloads = folder.path().join("datasets/datos_abiertos/downloads");
    assert!(!downloads.join("datos_abiertos").exists(), "the file has persons' rows");
}

#[tokio::test]
async fn a_month_that_is_not_newer_is_not_fetched_again() {
    let pieces = sample::datasets().unwrap();
    let bytes = &pieces.iter().find(|piece| piece.dataset == "datos_abiertos").unwrap().bytes;
    let length = format!("Content-Length: {}", bytes.len());
    let whole = answer("200 OK", &[&length], bytes);
    let server = Server::start([missing(), missing(), whole, missing(), missing()]);
    let address = server.url.replace("padron.zip", "PadronRUC_{AAAAMM}.zip");
    let folder = TempDir::new().unwrap();
    update(&folder, &DATOS_ABIERTOS, &address, false).await.unwrap().unwrap();
    assert!(update(&folder, &DATOS_ABIERTOS, &address, false).await.unwrap().is_none());
    assert_eq!(server.asked().len(), 5, "a server without versions would send the whole file");
    // A month that was imported from a file is not fetched either.
    let by_hand = TempDir::new().unwrap();
    let path = by_hand.path().join("PadronRUC_202611.zip");
    std::fs::write(&path, bytes).unwrap();
    let today = Date::new(2026, 11, 21).unwrap();
    let source = SourceFile::local(&path);
    let origin = kuraka_registry::Origin::Published;
    let request = kuraka_registry::DatasetImport { source, date: None, served_on: None, today, origin, force: false };
    kuraka_registry::import_dataset(by_hand.path(), &DATOS_ABIERTOS, &request, &NoProgress).unwrap();
    let silent = Server::start([]);
    let address = silent.url.replace("padron.zip", "PadronRUC_{AAAAMM}.zip");
    assert!(update(&by_hand, &DATOS_ABIERTOS, &address, false).await.unwrap().is_none());
    assert_eq!(silent.asked().len(), 0);
}

#[tokio::test]
async fn a_month_that_is_gone_or_a_web_page_is_a_missing_month() {
    let gone = || answer("410 Gone", &["Content-Length: 0"], "");
    let page = || published("page", "<!DOCTYPE html><html><body>No existe</body></html>");
    let server = Server::start([gone(), page(), piece(&DATOS_ABIERTOS, "a"), page(), gone(), unchanged()]);
    let address = server.url.replace("padron.zip", "PadronRUC_{AAAAMM}.zip");
    let folder = TempDir::new().unwrap();
    assert!(update(&folder, &DATOS_ABIERTOS, &address, false).await.unwrap().is_some());
    assert!(update(&folder, &DATOS_ABIERTOS, &address, false).await.unwrap().is_none());
    assert!(!is_stored(folder.path(), "No existe"));
    let last = server.asked().pop().unwrap();
    assert!(last.contains("if-none-match: \"a\""), "the note is that of the month that was imported: {last}");
    // Nothing but pages tells nothing about the months.
    let server = Server::start((0..6).map(|_| page()));
    let address = server.url.replace("padron.zip", "PadronRUC_{AAAAMM}.zip");
    let folder = TempDir::new().unwrap();
    let error = update(&folder, &DATOS_ABIERTOS, &address, false).await.unwrap_err();
    assert!(matches!(error, UpdateError::WebPage { .. }) && error.may_pass(), "{error:?}");
    assert!(!is_stored(folder.path(), "No existe"));
}

#[tokio::test]
async fn no_month_at_all_is_an_error() {
    let server = Server::start((0..6).map(|_| missing()));
    let address = server.url.replace("padron.zip", "PadronRUC_{AAAAMM}.zip");
    let folder = TempDir::new().unwrap();
    let error = update(&folder, &DATOS_ABIERTOS, &address, false).await.unwrap_err();
    assert!(matches!(error, UpdateError::Download { source: DownloadError::Status { .. }, .. }), "{error:?}");
    assert_eq!(server.asked().len(), 6);
}
