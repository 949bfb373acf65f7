//! SIGTERM and Ctrl-C: the server finishes the calls in progress, returns its leases and exits with success.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::time::Instant;

use super::http::{get, lookup, lookup_request, read};
use super::program::{DEADLINE, Home};

#[tokio::test]
async fn sigterm_and_sigint_stop_the_server_and_return_every_lease() {
    for signal in ["TERM", "INT"] {
        let home = Home::new().plan(100_000, 1_000);
        let (serving, token) = home.serve_sample("ana@example.pe");
        assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
        serving.signal(signal);
        let (status, out, log) = serving.ended();
        assert!(status.success(), "{signal}: {status}");
        assert_eq!(out, [""; 0], "serve prints nothing on standard output");
        assert!(log.last().unwrap().contains("\"stopped\""), "{log:?}");
        assert_eq!(home.used("ana@example.pe").await, 1, "{signal}");
    }
}

#[test]
fn a_call_in_progress_is_answered_before_the_server_stops() {
    let home = Home::new();
    let (mut serving, token) = home.serve_sample("ana@example.pe");
    let request = lookup_request(&token, sample::COMPANY, "Connection: close\r\n");
    let (first, rest) = request.split_at(request.len() - 5);
    let mut stream = TcpStream::connect(serving.api).unwrap();
    stream.write_all(first.as_bytes()).unwrap();
    // A call on another connection shows that the server had time to accept the first one. Another thread may read it.
    assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    assert_eq!(stream.read(&mut [0]).unwrap_err().kind(), ErrorKind::WouldBlock);
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    serving.signal("TERM");
    serving.log("stopping");
    let ready = get(serving.admin, "/readyz");
    assert_eq!(ready.status, 503, "{}", ready.body);
    assert!(ready.body.contains("\"draining\":true"), "{}", ready.body);
    stream.write_all(rest.as_bytes()).unwrap();
    let answer = read(&mut stream).unwrap();
    assert_eq!(answer.status, 200, "{}", answer.body);
    let (status, _, log) = serving.ended();
    assert!(status.success(), "{log:?}");
}

#[test]
fn a_second_signal_stops_the_server_at_once() {
    let home = Home::new();
    let token = home.token("ana@example.pe");
    let mut serving = home.serve();
    let request = lookup_request(&token, sample::COMPANY, "Connection: close\r\n");
    let mut stream = TcpStream::connect(serving.api).unwrap();
    stream.write_all(&request.as_bytes()[..request.len() - 5]).unwrap();
    assert_eq!(
        lookup(serving.api, &token, sample::COMPANY).unwrap().status,
        503,
        "the server has accepted the first call"
    );
    // The second one at once is the same, as of the program timeout.
    serving.signal("INT");
    serving.signal("INT");
    serving.log("stopping");
    let beginning = Instant::now();
    let ready = get(serving.admin, "/readyz");
    assert_eq!((ready.status, ready.body.contains("\"draining\":true")), (503, true), "{}", ready.body);
    while beginning.elapsed() < Duration::from_secs(5) && serving.runs() {
        serving.signal("INT");
        std::thread::yield_now();
    }
    let (status, _, log) = serving.ended();
    assert_eq!(status.code(), Some(1), "{log:?}");
    assert!(log.iter().any(|line| line.contains("asked to stop again")), "{log:?}");
}
