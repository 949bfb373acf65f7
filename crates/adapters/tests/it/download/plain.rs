//! Transfers without a fault.

use std::fs;
use std::sync::Mutex;

use kuraka_adapters::download::Fetched;

use super::{Target, downloader, fetch, version};
use crate::script::{Server, answer};

const MONDAY: &str = "Mon, 16 Nov 2026 07:38:00 GMT";

#[tokio::test]
async fn a_complete_download_leaves_the_file_and_its_version() {
    let last_modified = format!("Last-Modified: {MONDAY}");
    let server =
        Server::start([answer("200 OK", &["Content-Length: 10", "ETag: \"a\"", &last_modified], "0123456789")]);
    let target = Target::new();
    let progress = Mutex::new(Vec::new());
    let fetched = downloader(1)
        .fetch(&server.url, None, &target.path(), &|bytes, total| progress.lock().unwrap().push((bytes, total)))
        .await
        .unwrap();
    let version = version(&server, Some("\"a\""), Some(MONDAY));
    assert_eq!(fetched, Fetched::New { version, html: false });
    assert_eq!(target.text(), "0123456789");
    assert_eq!(target.files(), ["padron.zip", "padron.zip.version"]);
    assert_eq!(progress.into_inner().unwrap().last(), Some(&(10, Some(10))));
    let asked = server.asked().remove(0);
    assert!(asked.contains("user-agent: mozilla/5.0"), "{asked}");
    assert!(asked.contains("accept-encoding: identity"), "{asked}");
    assert!(!asked.contains("\r\nif-") && !asked.contains("\r\nrange"), "{asked}");
}

#[tokio::test]
async fn an_unchanged_file_is_not_fetched_again() {
    let server = Server::start([answer("304 Not Modified", &[], "")]);
    let target = Target::new();
    fs::write(target.path(), "old").unwrap();
    let known = version(&server, Some("\"a\""), Some(MONDAY));
    let fetched = downloader(1).fetch(&server.url, Some(&known), &target.path(), &|_, _| {}).await.unwrap();
    assert_eq!(fetched, Fetched::Unchanged);
    assert_eq!(target.text(), "old");
    let asked = server.asked().remove(0);
    assert!(asked.contains("if-none-match: \"a\"\r\n"), "{asked}");
    assert!(asked.contains(&format!("if-modified-since: {}\r\n", MONDAY.to_ascii_lowercase())), "{asked}");
}

#[tokio::test]
async fn a_whole_file_that_was_left_is_new_until_another_version_begins() {
    let page = answer("200 OK", &["Content-Length: 6", "ETag: \"a\""], "<html>");
    let cut = answer("200 OK", &["Content-Length: 9", "ETag: \"b\""], "new");
    let server = Server::start([page, answer("304 Not Modified", &[], ""), cut]);
    let target = Target::new();
    for _ in 0..2 {
        let fetched = fetch(&downloader(1), &server.url, &target).await.unwrap();
        assert_eq!(fetched, Fetched::New { version: version(&server, Some("\"a\""), None), html: true });
    }
    fetch(&downloader(1), &server.url, &target).await.unwrap_err();
    assert_eq!(target.files(), ["padron.zip", "padron.zip.part", "padron.zip.part.note"]);
    assert!(server.asked()[1..].iter().all(|head| head.contains("if-none-match: \"a\"")), "{:?}", server.asked());
}

#[tokio::test]
async fn a_file_without_announced_length_is_fetched() {
    let chunked = answer("200 OK", &["Transfer-Encoding: chunked"], "4\r\n0123\r\n2\r\n45\r\n0\r\n\r\n");
    let server = Server::start([chunked]);
    let target = Target::new();
    fetch(&downloader(1), &server.url, &target).await.unwrap();
    assert_eq!(target.text(), "012345");
}

#[tokio::test]
async fn a_web_page_is_recognised_by_type_or_first_bytes() {
    const ZIP: &str = "Content-Type: application/zip";
    let answers: [(&str, &[u8], bool); 12] = [
        ("Content-Type: Text/HTML; charset=iso-8859-1", b"PK", true),
        ("Content-Type: text/html", b"PK\x03\x04", false),
        (ZIP, b"\r\n<!DOCTYPE HTML><html>", true),
        (ZIP, b"<!DOCTYPE html>", true),
        (ZIP, b"\r\n  <HTML lang=es>", true),
        (ZIP, "\u{feff}<html>".as_bytes(), true),
        (ZIP, b"<!-- error --><html>", true),
        (ZIP, b"PK\x03\x04", false),
        (ZIP, b"RUC|NOMBRE", false),
        (ZIP, b"", false),
        (ZIP, b"\xff\xfe", false),
        (ZIP, b"<padron>", false),
    ];
    for (kind, body, is_page) in answers {
        let server = Server::start([answer("200 OK", &[kind], body)]);
        let fetched = fetch(&downloader(1), &server.url, &Target::new()).await.unwrap();
        let Fetched::New { html, .. } = fetched else { panic!("{fetched:?}") };
        assert_eq!(html, is_page, "{kind}: {body:?}");
    }
}
