//! Stopping: by SIGTERM or Ctrl-C the server ends with success, finishes what is under way, and gives leases back.

use std::io::Write;
use std::net::TcpStream;

use kuraka_sandbox::sample;

use super::http::{get, lookup, lookup_request, read};
use super::program::{DEADLINE, Home};

#[tokio::test]
async fn both_signals_end_it_with_success_and_give_every_lease_back() {
    for signal in ["TERM", "INT"] {
        let home = Home::new().plan(100_000, 1_000);
        let token = home.token("ana@example.pe");
        home.import(sample::PADRON);
        let serving = home.serve();
        assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
        serving.signal(signal);
        let (status, out, log) = serving.ended();
        assert!(status.success(), "{signal}: {status}");
        assert_eq!(out, [""; 0], "the result of serving is its answers");
        assert!(log.last().unwrap().contains("\"stopped\""), "{log:?}");
        assert_eq!(home.used("ana@example.pe").await, 1, "{signal}");
    }
}

#[test]
fn a_call_under_way_is_answered_before_the_end() {
    let home = Home::new();
    let token = home.token("ana@example.pe");
    home.import(sample::PADRON);
    let mut serving = home.serve();
    let request = lookup_request(&token, sample::COMPANY, "Connection: close\r\n");
    let (first, rest) = request.split_at(request.len() - 5);
    let mut stream = TcpStream::connect(serving.api).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    stream.write_all(first.as_bytes()).unwrap();
    // Another call on another connection shows that the server had time to take the first one up.
    assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
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
fn asked_twice_it_does_not_wait_for_anybody() {
    let home = Home::new();
    let token = home.token("ana@example.pe");
    let mut serving = home.serve();
    let request = lookup_request(&token, sample::COMPANY, "Connection: close\r\n");
    let mut stream = TcpStream::connect(serving.api).unwrap();
    stream.write_all(&request.as_bytes()[..request.len() - 5]).unwrap();
    assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 503, "it has taken the first call up");
    serving.signal("INT");
    serving.log("stopping");
    serving.signal("INT");
    let (status, _, log) = serving.ended();
    assert_eq!(status.code(), Some(1), "{log:?}");
    assert!(log.iter().any(|line| line.contains("asked to stop again")), "{log:?}");
}
