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
    assert_eq!(fetched, Fetched::New { version: version(&server, Some("\"a\""), None), html: false });
    assert_eq!(target.text(), "0123456789");
    assert_eq!(target.files(), ["padron.zip", "padron.zip.version"]);
    assert_eq!(progress.into_inner().unwrap().last(), Some(&(10, Some(10))));
    let asked = server.asked();
    assert!(!asked[0].contains("\r\nrange:"), "{}", asked[0]);
    assert!(asked[1].contains("\r\nrange: bytes=4-\r\n"), "{}", asked[1]);
    assert!(asked[1].contains("\r\nif-range: \"a\"\r\n"), "{}", asked[1]);
}

#[tokio::test]
async fn only_the_rest_of_the_same_version_is_joined_to_a_part() {
    const A: &str = "ETag: \"a\"";
    let whole = |etag| answer("200 OK", &["Content-Length: 10", etag], "abcdefghij");
    let wrong = answer("206 Partial Content", &["Content-Range: bytes 5-9/10", A], "56789");
    let beyond = answer("416 Range Not Satisfiable", &["Content-Range: bytes */4"], "");
    let failure = answer("502 Bad Gateway", &["Content-Length: 0"], "");
    // With the text of the file, and whether the last request was for the rest.
    for (script, text, is_rest) in [
        (vec![cut(A).then_silence(), rest(A)], "0123456789", true),
        (vec![cut(A), failure, rest(A)], "0123456789", true),
        (vec![cut(A), whole("ETag: \"b\"")], "abcdefghij", true),
        (vec![cut(A), wrong, whole(A)], "abcdefghij", false),
        (vec![cut(A), beyond, whole(A)], "abcdefghij", false),
        (vec![cut("X-Nothing: here"), whole(A)], "abcdefghij", false),
        (vec![cut("ETag: W/\"weak\""), whole(A)], "abcdefghij", false),
    ] {
        let (attempts, server, target) = (script.len() as u32, Server::start(script), Target::new());
        fetch(&impatient(attempts), &server.url, &target).await.unwrap();
        let asked = server.asked();
        assert_eq!(target.text(), text, "{asked:?}");
        assert_eq!(asked.last().unwrap().contains("\r\nrange: bytes=4-\r\n"), is_rest, "{asked:?}");
    }
}

#[tokio::test]
async fn a_range_must_start_where_requested() {
    const A: &str = "ETag: \"a\"";
    for (range, text) in [
        ("Content-Range: bytes 4-9/10", "0123456789"),
        ("Content-Range: bytes 4-9/*", "0123456789"),
        ("Content-Range: bytes 0-9/10", "abcdefghij"),
        ("Content-Range: bytes 5-9/10", "abcdefghij"),
        ("Content-Range: bytes 4-9/9", "abcdefghij"),
        ("Content-Range: bytes 4-3/10", "abcdefghij"),
        ("Content-Range: bytes +4-9/10", "abcdefghij"),
        ("Content-Range: 4-9/10", "abcdefghij"),
        ("Content-Range:", "abcdefghij"),
        ("X-Nothing: here", "abcdefghij"),
    ] {
        let rest = answer("206 Partial Content", &[range, A], "456789");
        let server = Server::start([cut(A), rest, answer("200 OK", &["Content-Length: 10", A], "abcdefghij")]);
        let target = Target::new();
        fetch(&downloader(3), &server.url, &target).await.unwrap();
        assert_eq!(target.text(), text, "{range}");
    }
}

#[tokio::test]
async fn only_a_strong_tag_or_a_date_allows_to_resume() {
    for (headers, condition) in [
        ("ETag: \"a\"\r\nLast-Modified: Fri, 20 Nov 2026 10:00:00 GMT", Some("\"a\"")),
        ("ETag: W/\"a\"\r\nLast-Modified: Fri, 20 Nov 2026 10:00:00 GMT", Some("fri, 20 nov 2026 10:00:00 gmt")),
        ("ETag: W/\"a\"", None),
        ("X-Nothing: here", None),
    ] {
        let server = Server::start([cut(headers), answer("404 Not Found", &["Content-Length: 0"], "")]);
        fetch(&downloader(2), &server.url, &Target::new()).await.unwrap_err();
        let asked = server.asked().pop().unwrap();
        assert_eq!(asked.lines().find_map(|line| line.strip_prefix("if-range: ")), condition, "{headers}: {asked}");
        assert_eq!(asked.contains("\r\nrange: bytes=4-\r\n"), condition.is_some(), "{headers}: {asked}");
    }
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
