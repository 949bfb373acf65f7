//! A server that fails is asked again: a bounded number of times, for a bounded time, and not before it allows it.

use std::collections::HashSet;
use std::fs;
use std::time::Duration;

use kuraka_adapters::download::{DownloadError, DownloadLimits, Downloader, TransferError, USER_AGENT};
use tokio::time::Instant;

use super::{Target, downloader, fetch, fetch_from_nowhere, quick};
use crate::http::client;
use crate::script::{Answer, Server, answer};

fn failure(status: &str) -> Answer {
    answer(status, &["Content-Length: 0"], "")
}

fn whole() -> Answer {
    answer("200 OK", &["Content-Length: 10", "ETag: \"a\""], "0123456789")
}

#[tokio::test]
async fn a_server_that_fails_is_asked_until_it_answers() {
    let statuses = ["500 Internal Server Error", "502 Bad Gateway", "503 Service Unavailable", "504 Gateway Timeout"];
    let server = Server::start(statuses.into_iter().map(failure).chain([whole()]));
    let target = Target::new();
    fetch(&downloader(5), &server.url, &target).await.unwrap();
    assert_eq!((target.text().as_str(), server.asked().len()), ("0123456789", 5));
}

#[tokio::test]
async fn the_attempts_are_counted_and_the_old_file_stays() {
    let server = Server::start((0..9).map(|_| failure("503 Service Unavailable")));
    let target = Target::new();
    fs::write(target.path(), "old").unwrap();
    let error = fetch(&Downloader::new(client(USER_AGENT), quick()), &server.url, &target).await.unwrap_err();
    let DownloadError::Transfer { attempts: 8, source: TransferError::Status { status, .. }, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!(status.as_u16(), 503);
    assert_eq!((target.text().as_str(), server.asked().len()), ("old", 8));
}

#[tokio::test]
async fn a_wait_that_the_server_asks_for_is_kept() {
    let busy = answer("503 Service Unavailable", &["Content-Length: 0", "Retry-After: 1"], "");
    let server = Server::start([busy, whole()]);
    let (target, started) = (Target::new(), Instant::now());
    fetch(&downloader(2), &server.url, &target).await.unwrap();
    assert!(started.elapsed() >= Duration::from_secs(1), "{:?}", started.elapsed());
}

#[tokio::test]
async fn the_wait_that_a_server_asks_for_is_seconds_or_until_a_date() {
    for (headers, wait) in [
        ("Retry-After: 7", Some(7)),
        ("Retry-After: Fri, 20 Nov 2026 10:02:00 GMT\r\nDate: Fri, 20 Nov 2026 10:00:00 GMT", Some(120)),
        // Without a clock to compare it with, a date asks for no wait.
        ("Retry-After: Fri, 20 Nov 2026 10:02:00 GMT", Some(0)),
        ("Retry-After: soon", None),
        ("X-Nothing: here", None),
    ] {
        let server = Server::start([answer("503 Service Unavailable", &["Content-Length: 0", headers], "")]);
        let error = fetch(&downloader(1), &server.url, &Target::new()).await.unwrap_err();
        let DownloadError::Transfer { source, .. } = &error else { panic!("{error:?}") };
        assert_eq!(source.retry_after(), wait.map(Duration::from_secs), "{headers}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_wait_doubles_up_to_a_minute_and_loses_up_to_half() {
    // The longest waits in seconds: 1, 2, 4, 8, 16, 32, and then 60 each.
    for (attempts, most) in [(1, 0), (2, 1), (3, 3), (4, 7), (7, 63), (8, 123), (41, 63 + 34 * 60)] {
        let (most, limits) = (Duration::from_secs(most), DownloadLimits { attempts, ..DownloadLimits::default() });
        let mut waits = HashSet::new();
        for _ in 0..4 {
            let (wait, error) = fetch_from_nowhere(limits, None).await;
            let DownloadError::Transfer { attempts: made, .. } = error else { panic!("{error:?}") };
            assert_eq!(made, attempts);
            // The timer counts in milliseconds.
            assert!((most / 2..=most + Duration::from_millis(100)).contains(&wait), "{attempts}: {wait:?}");
            waits.insert(wait);
        }
        assert!(waits.len() > 1 || attempts == 1, "{attempts}: all servers come back together");
    }
}

#[tokio::test]
async fn any_number_of_seconds_may_be_asked_for() {
    // The largest number overflows when more than a second is added.
    let soon = answer("503 Service Unavailable", &["Content-Length: 0", "Retry-After: 1"], "");
    let busy = answer("503 Service Unavailable", &["Content-Length: 0", "Retry-After: 18446744073709551615"], "");
    let server = Server::start([soon, busy]);
    let error = fetch(&downloader(8), &server.url, &Target::new()).await.unwrap_err();
    assert!(matches!(error, DownloadError::Transfer { attempts: 2, .. }), "{error:?}");
}

#[tokio::test]
async fn a_text_that_trickles_in_ends_with_the_time_in_all() {
    let server = Server::start((0..9).map(|_| answer("200 OK", &["Content-Length: 4"], "0a").then_silence()));
    let limits = DownloadLimits { total: Duration::from_millis(200), ..quick() };
    let started = Instant::now();
    let downloader = Downloader::new(client(USER_AGENT), limits).for_text();
    let error = fetch(&downloader, &server.url, &Target::new()).await.unwrap_err();
    assert!(matches!(error, DownloadError::Transfer { .. }), "{error:?}");
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}

#[tokio::test]
async fn no_attempt_begins_after_the_time_in_all() {
    let server = Server::start((0..9).map(|_| failure("503 Service Unavailable")));
    let pause = Duration::from_millis(100);
    // The waits are at least 50, 100, 200 and 400 ms.
    let limits = DownloadLimits { pause, total: Duration::from_millis(500), ..DownloadLimits::default() };
    let (target, started) = (Target::new(), Instant::now());
    let error = fetch(&Downloader::new(client(USER_AGENT), limits), &server.url, &target).await.unwrap_err();
    let DownloadError::Transfer { attempts, .. } = error else { panic!("{error:?}") };
    // The time may end an attempt that the server has not read yet.
    let asked = server.asked().len();
    assert!(
        (1..=4).contains(&attempts) && (attempts as usize - 1..=attempts as usize).contains(&asked),
        "{attempts}, {asked}"
    );
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}
