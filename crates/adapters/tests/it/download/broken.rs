//! Transfers that break off, and how the next attempt continues.

use std::fs;
use std::net::TcpListener;
use std::sync::Mutex;

use kuraka_adapters::download::{DownloadError, Fetched, TransferError};

use super::{Target, downloader, fetch, impatient, version};
use crate::script::{Answer, Server, answer};

/// The first four of ten bytes.
fn cut(etag: &str) -> Answer {
    answer("200 OK", &["Content-Length: 10", etag], "0123")
}

/// The other six.
fn rest(etag: &str) -> Answer {
    answer("206 Partial Content", &["Content-Length: 6", "Content-Range: bytes 4-9/10", etag], "456789")
}

#[tokio::test]
async fn a_cut_transfer_is_resumed() {
    let server = Server::start([cut("ETag: \"a\""), rest("ETag: \"a\"")]);
    let target = Target::new();
    let progress = Mutex::new(Vec::new());
    let fetched = downloader(2)
        .fetch(&server.url, None, &target.path(), &|bytes, total| progress.lock().unwrap().push((bytes, total)))
        .await
        .unwrap();
    assert_eq!(fetched, Fetched::New { version: version(&server, Some("\"a\""), None), bytes: 10, html: false });
    assert_eq!(target.text(), "0123456789");
    assert_eq!(target.files(), ["padron.zip", "padron.zip.version"]);
    assert_eq!(progress.into_inner().unwrap().last(), Some(&(10, Some(10))));
    let asked = server.asked();
    assert!(!asked[0].contains("\r\nrange:"), "{}", asked[0]);
    assert!(asked[1].contains("\r\nrange: bytes=4-\r\n"), "{}", asked[1]);
    assert!(asked[1].contains("\r\nif-range: \"a\"\r\n"), "{}", asked[1]);
}

#[tokio::test]
async fn a_restarted_process_resumes_the_transfer() {
    let server = Server::start([cut("ETag: \"a\""), rest("ETag: \"a\"")]);
    let target = Target::new();
    let error = fetch(&downloader(1), &server.url, &target).await.unwrap_err();
    assert!(matches!(error, DownloadError::Transfer { attempts: 1, .. }), "{error:?}");
    assert!(!target.path().exists(), "an incomplete file is never in place");
    let fetched = fetch(&downloader(1), &server.url, &target).await.unwrap();
    assert_eq!(fetched, Fetched::New { version: version(&server, Some("\"a\""), None), bytes: 10, html: false });
    assert_eq!(target.text(), "0123456789");
}

#[tokio::test]
async fn a_file_that_changed_meanwhile_is_fetched_from_the_start() {
    let changed = answer("200 OK", &["Content-Length: 10", "ETag: \"b\""], "abcdefghij");
    let server = Server::start([cut("ETag: \"a\""), changed]);
    let target = Target::new();
    let fetched = fetch(&downloader(2), &server.url, &target).await.unwrap();
    assert_eq!(fetched, Fetched::New { version: version(&server, Some("\"b\""), None), bytes: 10, html: false });
    assert_eq!(target.text(), "abcdefghij");
}

#[tokio::test]
async fn a_file_that_became_the_known_one_again_is_unchanged() {
    let server = Server::start([cut("ETag: \"a\""), answer("304 Not Modified", &[], "")]);
    let target = Target::new();
    let known = version(&server, Some("\"old\""), None);
    let fetched = downloader(2).fetch(&server.url, Some(&known), &target.path(), &|_, _| {}).await.unwrap();
    assert_eq!(fetched, Fetched::Unchanged);
    assert_eq!(target.files(), [""; 0]);
}

#[tokio::test]
async fn a_wrong_range_is_never_joined_to_the_part() {
    let wrong = answer("206 Partial Content", &["Content-Range: bytes 5-9/10", "ETag: \"a\""], "56789");
    let whole = answer("200 OK", &["Content-Length: 10", "ETag: \"a\""], "0123456789");
    let server = Server::start([cut("ETag: \"a\""), wrong, whole]);
    let target = Target::new();
    fetch(&downloader(3), &server.url, &target).await.unwrap();
    assert_eq!(target.text(), "0123456789");
    assert!(!server.asked()[2].contains("\r\nrange:"));
}

#[tokio::test]
async fn a_range_beyond_the_end_starts_over() {
    let beyond = answer("416 Range Not Satisfiable", &["Content-Range: bytes */4"], "");
    let whole = answer("200 OK", &["Content-Length: 4", "ETag: \"a\""], "abcd");
    let server = Server::start([cut("ETag: \"a\""), beyond, whole]);
    let target = Target::new();
    fetch(&downloader(3), &server.url, &target).await.unwrap();
    assert_eq!(target.text(), "abcd");
}

#[tokio::test]
async fn a_part_without_a_strong_tag_is_fetched_from_the_start() {
    for version in ["X-Nothing: here", "ETag: W/\"weak\""] {
        let whole = answer("200 OK", &["Content-Length: 10"], "0123456789");
        let server = Server::start([cut(version), whole]);
        let target = Target::new();
        fetch(&downloader(2), &server.url, &target).await.unwrap();
        assert_eq!(target.text(), "0123456789");
        assert!(!server.asked()[1].contains("\r\nrange:"), "{version}");
    }
}

#[tokio::test]
async fn a_part_without_a_note_of_its_url_is_fetched_from_the_start() {
    let whole = || answer("200 OK", &["Content-Length: 10", "ETag: \"a\""], "0123456789");
    let server = Server::start([whole(), whole(), whole()]);
    let target = Target::new();
    let other = r#"{"name":"http://127.0.0.1/other.zip","etag":"\"a\"","last_modified":null}"#;
    let broken = format!("{{\"name\":\"{}\",\"etag\":", server.url);
    for note in [None, Some(other), Some(broken.as_str())] {
        fs::write(target.folder.path().join("padron.zip.part"), "xxxx").unwrap();
        if let Some(note) = note {
            fs::write(target.folder.path().join("padron.zip.part.note"), note).unwrap();
        }
        fetch(&downloader(1), &server.url, &target).await.unwrap();
        assert_eq!(target.text(), "0123456789");
    }
    assert!(server.asked().iter().all(|asked| !asked.contains("\r\nrange:")));
}

#[tokio::test]
async fn a_transfer_that_times_out_is_resumed() {
    let server = Server::start([cut("ETag: \"a\"").then_silence(), rest("ETag: \"a\"")]);
    let target = Target::new();
    fetch(&impatient(2), &server.url, &target).await.unwrap();
    assert_eq!(target.text(), "0123456789");
}

#[tokio::test]
async fn a_transfer_that_stays_too_short_fails() {
    let short = |first: u64| {
        let range = format!("Content-Range: bytes {first}-9/10");
        answer("206 Partial Content", &["Content-Length: 1", &range, "ETag: \"a\""], "x")
    };
    let server = Server::start([cut("ETag: \"a\""), short(4), short(5)]);
    let target = Target::new();
    let error = fetch(&downloader(3), &server.url, &target).await.unwrap_err();
    let DownloadError::Transfer { attempts: 3, source: TransferError::Length { received: 6, announced: 10 }, .. } =
        error
    else {
        panic!("{error:?}")
    };
    assert!(!target.path().exists());
}

#[tokio::test]
async fn an_unreachable_server_is_tried_until_the_limit() {
    let unused = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let target = Target::new();
    let error = fetch(&downloader(3), &format!("http://{unused}/padron.zip"), &target).await.unwrap_err();
    assert!(
        matches!(error, DownloadError::Transfer { attempts: 3, source: TransferError::Connection(_), .. }),
        "{error:?}"
    );
}
