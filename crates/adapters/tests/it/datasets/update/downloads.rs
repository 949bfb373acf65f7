//! What stays on the disk of a download: parts for a day, and no secret of an address.

use std::fs::{self, File};
use std::future::poll_fn;
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::SystemTime;

use jiff::SignedDuration;
use kuraka_adapters::datasets::update::{ManualUpdate, UpdateError};
use kuraka_adapters::download::DownloadError;
use kuraka_ports::chain;
use kuraka_registry::NoProgress;

use super::{Home, Ticking, conditions, homes, missing, now, published, tag, unchanged};
use crate::script::{Answer, Server, answer};

const DAY: SignedDuration = SignedDuration::from_hours(24);
const MINUTE: SignedDuration = SignedDuration::from_mins(1);

/// Makes a file this old at the time of the updates.
fn age(path: &Path, age: SignedDuration) {
    File::options().append(true).open(path).unwrap().set_modified(SystemTime::from(now() - age)).unwrap();
}

/// The first 10 bytes of a file, after which the connection breaks.
fn cut(file: &[u8]) -> Answer {
    answer("200 OK", &[&format!("Content-Length: {}", file.len()), "ETag: \"a\""], file.split_at(10).0)
}

/// The other bytes.
fn rest(file: &[u8]) -> Answer {
    let range = format!("Content-Range: bytes 10-{}/{}", file.len() - 1, file.len());
    answer("206 Partial Content", &[&range, "ETag: \"a\""], file.split_at(10).1)
}

#[tokio::test]
async fn a_part_is_resumed_within_a_day() {
    for home in homes() {
        let file = home.file(3);
        let server = Server::start([cut(&file), rest(&file)]);
        let error = home.update(&server.url).await.unwrap_err();
        assert!(matches!(error, UpdateError::Download { source: DownloadError::Transfer { .. }, .. }), "{error:?}");
        age(&home.downloads().join(format!("{}.part", home.dataset.name)), DAY - MINUTE);
        assert_eq!(home.update(&server.url).await.unwrap().unwrap().rows, 3);
        assert!(server.asked()[1].contains("range: bytes=10-"), "{:?}", server.asked());
        home.assert_no_download();
    }
}

#[tokio::test]
async fn an_older_part_is_removed_and_not_resumed() {
    for home in homes() {
        let file = home.file(3);
        let server = Server::start([cut(&file), missing(), published("a", &file)]);
        home.update(&server.url).await.unwrap_err();
        let part = home.downloads().join(format!("{}.part", home.dataset.name));
        age(&part, DAY + MINUTE);
        home.update(&server.url).await.unwrap_err();
        assert!(!part.exists(), "whatever the server answers");
        assert_eq!(home.update(&server.url).await.unwrap().unwrap().rows, 3);
        assert!(server.asked()[1..].iter().all(|head| !head.contains("\r\nrange:")), "{:?}", server.asked());
    }
}

#[tokio::test]
async fn files_of_killed_processes_are_removed_after_a_day_and_notes_stay() {
    for home in homes() {
        let server = Server::start([published("a", home.file(3)), unchanged(), unchanged()]);
        home.update(&server.url).await.unwrap();
        let by_hand = home.downloads().join(format!("by-hand-{}", home.dataset.name));
        for (is_left, old) in [(true, DAY - MINUTE), (false, DAY + MINUTE)] {
            fs::write(&by_hand, "RUC|NOMBRE").unwrap();
            for name in home.downloaded() {
                age(&home.downloads().join(name), old);
            }
            assert!(home.update(&server.url).await.unwrap().is_none());
            assert_eq!(by_hand.exists(), is_left);
        }
        assert!(server.asked()[2].contains("if-none-match: \"a\""));
        home.assert_no_download();
    }
}

#[tokio::test]
async fn a_download_belongs_to_one_process_until_its_import_ends() {
    for home in homes() {
        let server = Server::start([published("a", home.file(3))]);
        let (updating, turns) = home.updater(home.source(&server.url), 0);
        let clock = Ticking::default();
        let mut waiting = pin!(updating.run(&clock, false, Arc::new(NoProgress)));
        let is_downloaded = || home.downloads().join(home.dataset.name).exists();
        poll_fn(|context| {
            assert!(waiting.as_mut().poll(context).is_pending());
            if is_downloaded() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        let error = home.update(&server.url).await.unwrap_err();
        let UpdateError::Download { source, .. } = &error else { panic!("{error:?}") };
        assert!(matches!(source, DownloadError::Busy { .. }) && error.may_pass(), "{source:?}");
        turns.add_permits(1);
        assert_eq!(waiting.await.unwrap().unwrap().rows, 3);
        assert_eq!(server.asked().len(), 1);
    }
}

/// Downloads the file, and leaves what a process leaves that is killed while it waits for the import.
async fn killed_before_its_import(home: &Home, server: &Server) {
    let (updating, clock) = (home.updater(home.source(&server.url), 0).0, Ticking::default());
    let mut waiting = Box::pin(updating.run(&clock, false, Arc::new(NoProgress)));
    let paths = ["", ".version"].map(|end| home.downloads().join(format!("{}{end}", home.dataset.name)));
    let left = poll_fn(|context| {
        assert!(waiting.as_mut().poll(context).is_pending());
        let [Ok(file), Ok(version)] = paths.each_ref().map(fs::read) else { return Poll::Pending };
        Poll::Ready([file, version])
    })
    .await;
    drop(waiting);
    for (path, bytes) in paths.iter().zip(left) {
        fs::write(path, bytes).unwrap();
        age(path, DAY - MINUTE);
    }
}

#[tokio::test]
async fn a_whole_file_of_a_killed_process_is_imported_without_another_download() {
    for home in homes() {
        let server = Server::start([published("a", home.file(3)), unchanged(), published("b", home.file(4))]);
        killed_before_its_import(&home, &server).await;
        assert_eq!(home.update(&server.url).await.unwrap().unwrap().rows, 3);
        home.assert_no_download();
        assert_eq!(home.update(&server.url).await.unwrap().unwrap().rows, 4);
        assert_eq!(conditions(&server), [None, tag("a"), tag("a")]);
    }
}

#[tokio::test]
async fn a_newer_file_or_another_address_replaces_what_a_killed_process_left() {
    for home in homes() {
        let file = home.file(4);
        let server = Server::start([published("a", home.file(3)), cut(&file), rest(&file)]);
        killed_before_its_import(&home, &server).await;
        home.update(&server.url).await.unwrap_err();
        assert_eq!(home.update(&server.url).await.unwrap().unwrap().rows, 4);
        assert_eq!(conditions(&server), [None, tag("a"), None]);
        home.assert_no_download();
        let home = Home { accepts: home.accepts, ..Home::new(home.dataset) };
        let [before, after] = [3, 4].map(|rows| Server::start([published("a", home.file(rows))]));
        killed_before_its_import(&home, &before).await;
        assert_eq!(home.update(&after.url).await.unwrap().unwrap().rows, 4);
        assert_eq!(conditions(&after), [None]);
    }
}

#[tokio::test]
async fn no_secret_of_an_address_is_stored_or_shown() {
    let moved = || answer("302 Found", &["Location: /files/7?signature=s3cr3t", "Content-Length: 0"], "");
    for home in homes() {
        let file = home.file(40);
        let lost =
            answer("302 Found", &["Location: http://ana:s3cr3t@elsewhere.pe/?key=s3cr3t", "Content-Length: 0"], "");
        let script = [missing(), lost, moved(), cut(&file), moved(), rest(&file), moved(), unchanged()];
        let refused = [moved(), published("b", home.file(2)), moved(), unchanged()];
        let by_hand = [moved(), published("c", home.file(2))];
        let server = Server::start(script.into_iter().chain(refused).chain(by_hand));
        let address = format!("{}?key=s3cr3t", server.url.replace("http://", "http://ana:s3cr3t@"));
        let (mut failures, mut published) = (0, 0);
        for _ in 0..7 {
            match home.update(&address).await {
                Ok(report) => published += usize::from(report.is_some()),
                Err(error) => {
                    failures += 1;
                    assert!(!chain(&error).contains("s3cr3t"), "{}", chain(&error));
                    assert!(!format!("{error}").contains("s3cr3t"));
                }
            }
            assert!(!home.has_stored("s3cr3t"), "{:?}", home.last_attempt());
        }
        assert!(home.has_stored("/padron.zip"), "the address without them");
        assert_eq!((failures, published), (5, 1), "404, away, cut, refused and refused before; one unchanged");
        let forced = ManualUpdate { force: true, ..ManualUpdate::default() };
        home.import(&address, forced).await.unwrap();
        assert_eq!(home.current().meta().rows, 2);
        assert!(!home.has_stored("s3cr3t"));
        let asked = server.asked();
        assert_eq!(asked.len(), 14);
        assert!(asked.iter().all(|head| head.contains("s3cr3t")), "sent to its own server");
        assert_eq!(asked.iter().filter(|head| head.starts_with("get /files/7?signature=s3cr3t")).count(), 6);
        assert!(asked[11].contains("if-none-match: \"b\""));
    }
}

#[tokio::test]
async fn redirects_without_end_are_an_error_without_the_signature() {
    let moved = || answer("302 Found", &["Location: /again?signature=s3cr3t", "Content-Length: 0"], "");
    for home in homes() {
        let server = Server::start((0..6).map(|_| moved()));
        let error = home.update(&server.url).await.unwrap_err();
        let UpdateError::Download { source, .. } = &error else { panic!("{error:?}") };
        assert!(matches!(source, DownloadError::Redirect { .. }) && source.to_string().contains("/again"), "{source}");
        assert!(!home.has_stored("signature"));
        assert_eq!(server.asked().len(), 6);
    }
}
