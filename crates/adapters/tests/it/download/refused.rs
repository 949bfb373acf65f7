//! Downloads that fail without another attempt.

use std::fs;

use kuraka_adapters::download::DownloadError;

use super::{Target, downloader, fetch};
use crate::script::{Server, answer};

#[tokio::test]
async fn a_refusal_fails_at_once_and_keeps_the_old_file() {
    for status in [
        "204 No Content",
        // The request asked for no range.
        "206 Partial Content",
        "304 Not Modified",
        "400 Bad Request",
        "403 Forbidden",
        "404 Not Found",
        "416 Range Not Satisfiable",
        "429 Too Many Requests",
    ] {
        let range = "Content-Range: bytes 0-9/10";
        let server = Server::start([answer(status, &["Content-Length: 0", range], "")]);
        let target = Target::new();
        fs::write(target.path(), "old").unwrap();
        let error = fetch(&downloader(3), &server.url, &target).await.unwrap_err();
        assert!(matches!(error, DownloadError::Status { .. }), "{status}: {error:?}");
        assert!(error.to_string().contains(&status[..3]), "{error}");
        assert_eq!(target.text(), "old");
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_file_over_the_limit_is_refused() {
    let body = "x".repeat(1_001);
    let announced = answer("200 OK", &["Content-Length: 1001", "ETag: \"a\""], "");
    let silent = answer("200 OK", &["ETag: \"a\""], &body);
    for script in [announced, silent] {
        let server = Server::start([script]);
        let target = Target::new();
        let error = fetch(&downloader(3), &server.url, &target).await.unwrap_err();
        assert!(matches!(error, DownloadError::TooLarge { limit: 1_000, .. }), "{error:?}");
        assert_eq!(target.files(), [""; 0]);
    }
}

#[tokio::test]
async fn a_text_has_a_bound() {
    let server = Server::start([answer("200 OK", &["Content-Length: 5000000"], "x".repeat(5_000_000))]);
    let error = fetch(&downloader(2).for_text(), &server.url, &Target::new()).await.unwrap_err();
    assert!(matches!(error, DownloadError::TooLarge { limit: 4_194_304, .. }), "{error:?}");
}

#[tokio::test]
async fn an_invalid_url_is_refused() {
    let target = Target::new();
    let error = fetch(&downloader(3), "padron.zip", &target).await.unwrap_err();
    assert!(matches!(error, DownloadError::Address { .. }), "{error:?}");
}

#[tokio::test]
async fn a_missing_folder_is_reported() {
    let target = Target::new();
    let into = target.folder.path().join("missing").join("padron.zip");
    let server = Server::start([answer("200 OK", &["Content-Length: 4"], "file")]);
    let error = downloader(1).fetch(&server.url, None, &into, &|_, _| {}).await.unwrap_err();
    assert!(matches!(error, DownloadError::File(_)), "{error:?}");
}
