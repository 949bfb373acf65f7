//! Hostile request bodies, sent repeatedly. The process survives and its memory does not grow.

use std::io::Write;
use std::net::TcpStream;

use kuraka_sandbox::sample;

use super::http::{lookup, read};
use super::program::{DEADLINE, Home};
use super::reliability::{figure, number};

/// KiB by which the allocator's own memory may differ between two measurements.
const ALLOCATOR: u64 = 1024;
/// Bytes by which memory may grow for each request.
const GROWN_PER_REQUEST: u64 = 64;

/// Requests that close their connection, with the expected status.
fn requests(token: &str) -> Vec<(u16, Vec<u8>)> {
    let head = |framing: &str| {
        format!(
            "POST /ruc HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\n{framing}\r\n\r\n"
        )
    };
    let whole = |body: String| [head(&format!("Content-Length: {}", body.len())), body].concat().into_bytes();
    let keys: String = (0..450).map(|n| format!("\"k{n}\":0,")).collect();
    let chunk = format!("1000\r\n{}\r\n", "[".repeat(0x1000));
    vec![
        (400, whole("[".repeat(4_000))),
        (400, whole("{\"a\":".repeat(800))),
        (400, whole(format!("{{{keys}\"k0\":0}}"))),
        (400, whole(format!("{{\"ruc\":\"{}\"}}", "\\u0000".repeat(600)))),
        (400, whole(format!("{{\"ruc\":{}}}", "9".repeat(4_000)))),
        (413, whole("[".repeat(60_000))),
        (413, [head("Content-Length: 10000000000"), "[".repeat(1_000)].concat().into_bytes()),
        (413, [head("Transfer-Encoding: chunked"), chunk.repeat(20)].concat().into_bytes()),
    ]
}

#[test]
fn hostile_bodies_do_not_crash_the_server_or_grow_its_memory() {
    let home = Home::new().plan(1_000_000, 1_000_000);
    let (serving, token) = home.serve_sample("ana@example.pe");
    let requests = requests(&token);
    let round = || {
        // All are open at once, and the server answers most of them before it has read them.
        let open = requests.iter().map(|(status, bytes)| {
            let mut stream = TcpStream::connect(serving.api).unwrap();
            stream.set_read_timeout(Some(DEADLINE)).unwrap();
            stream.write_all(bytes).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            (*status, stream)
        });
        for (status, mut stream) in open.collect::<Vec<_>>() {
            let answer = read(&mut stream).unwrap();
            assert_eq!(answer.status, status, "{answer:?}");
        }
    };
    (0..40).for_each(|_| round());
    let before = serving.resident_kib();
    let rounds = number("HOSTILE", 150);
    (0..rounds).for_each(|_| round());
    let (after, sent) = (serving.resident_kib(), rounds * requests.len() as u64);
    let allowed = sent * GROWN_PER_REQUEST / 1024 + ALLOCATOR;
    assert!(after <= before + allowed, "{before} KiB before, {after} KiB after {sent} requests");
    figure("S1", &format!("{sent} hostile bodies"), &format!("{before} KiB before, {after} KiB after"));
    assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    serving.stop();
}
