//! The log's reader leaves, the reader stops reading, or the log's disk is full: no call notices.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, pipe};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use kuraka_sandbox::sample;
use serde_json::Value;
use tokio::time::Instant;

use super::http::{Client, get, metric};
use super::program::{DEADLINE, Home, Serving, eventually};
use super::reliability::figure;

const EMAIL: &str = "ana@example.pe";
const CLIENTS: u64 = 4;
/// Calls of each client.
const CALLS: u64 = 200;

/// A folder with an edition, and a token.
fn scene() -> (Home, String) {
    let home = Home::new().plan(1_000_000, 1_000_000);
    home.import(sample::PADRON);
    let token = home.token(EMAIL);
    (home, token)
}

/// Makes concurrent calls, checks that each gets its record, and returns the longest time of a call.
fn call(api: SocketAddr, token: &str) -> Duration {
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let mut client = Client::new(api, token, sample::COMPANY);
            thread::spawn(move || {
                let times = (0..CALLS).map(|_| {
                    let began = Instant::now();
                    assert_eq!(client.ask().unwrap(), 200);
                    began.elapsed()
                });
                times.max().unwrap()
            })
        })
        .collect();
    clients.into_iter().map(|client| client.join().unwrap()).max().unwrap()
}

fn dropped(serving: &Serving) -> u64 {
    metric(serving.admin, "kuraka_log_lines_dropped_total")
}

#[tokio::test]
async fn calls_are_answered_and_charged_after_the_logs_reader_left() {
    let (home, token) = scene();
    let (reader, writer) = pipe().unwrap();
    let serving = home.serve_with_log(writer).await;
    call(serving.api, &token);
    assert_eq!(dropped(&serving), 0);
    let callers = thread::spawn({
        let (api, token) = (serving.api, token.clone());
        move || call(api, &token)
    });
    drop(reader);
    callers.join().unwrap();
    let longest = call(serving.api, &token);
    eventually("dropped lines are counted", || (dropped(&serving) >= CLIENTS * CALLS).then_some(())).await;
    assert_eq!(get(serving.admin, "/readyz").status, 200);
    serving.stop();
    let used = home.used(EMAIL).await;
    assert_eq!(used, 3 * CLIENTS * CALLS, "each call is charged once, and the leases are back");
    figure("P3", "the log's reader leaves under load", &format!("{used} calls answered, longest {longest:?}; exit 0"));
}

#[tokio::test]
async fn calls_are_answered_while_the_logs_reader_does_not_read() {
    let (home, token) = scene();
    let (reader, writer) = pipe().unwrap();
    let serving = home.serve_with_log(writer).await;
    let before = call(serving.api, &token);
    let mut requests = 0;
    while dropped(&serving) == 0 {
        fill_the_log(serving.api, 2_000);
        requests += 2_000;
        assert!(requests < 200_000, "the queue of log lines has no bound");
    }
    let during = call(serving.api, &token);
    // A call that waits for the log waits until the reader reads, which is after this line.
    assert!(during < before * 10 + Duration::from_secs(2), "{during:?} against {before:?}");
    let count = dropped(&serving);
    let resident = serving.resident_kib();
    let lines = thread::spawn(move || BufReader::new(reader).lines().collect::<Result<Vec<String>, _>>().unwrap());
    // The report follows the lines that were queued before the gap.
    eventually("lines are written again", || (dropped(&serving) >= count).then_some(())).await;
    serving.stop();
    let lines = lines.join().unwrap();
    let events: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let reported: u64 = events
        .iter()
        .filter(|event| event["message"] == "log lines were dropped")
        .map(|event| event["lines"].as_u64().unwrap())
        .sum();
    assert!(reported >= count, "{reported} reported, {count} counted");
    assert_eq!(events.last().unwrap()["message"], "stopped");
    assert_eq!(home.used(EMAIL).await, 2 * CLIENTS * CALLS);
    let measured =
        format!("longest call {during:?}, before {before:?}; {count} lines dropped; {resident} KiB resident");
    figure("P3", "the log's reader stops reading", &measured);
}

#[tokio::test]
async fn a_server_with_a_stuck_log_stops_with_success() {
    let (home, token) = scene();
    let (reader, writer) = pipe().unwrap();
    let serving = home.serve_with_log(writer).await;
    call(serving.api, &token);
    fill_the_log(serving.api, 1_000);
    serving.stop();
    drop(reader);
    assert_eq!(home.used(EMAIL).await, CLIENTS * CALLS);
}

#[tokio::test]
async fn calls_are_answered_while_the_logs_disk_is_full() {
    let (home, token) = scene();
    // Every write to this device fails as on a full disk.
    let serving = home.serve_with_log(File::options().write(true).open("/dev/full").unwrap()).await;
    let longest = call(serving.api, &token);
    eventually("dropped lines are counted", || (dropped(&serving) >= CLIENTS * CALLS).then_some(())).await;
    serving.stop();
    let used = home.used(EMAIL).await;
    assert_eq!(used, CLIENTS * CALLS);
    figure("P3", "the log's disk is full", &format!("{used} calls answered, longest {longest:?}; exit 0"));
}

/// Sends requests that each write a line of the log and cost nothing.
fn fill_the_log(api: SocketAddr, requests: usize) {
    let mut stream = TcpStream::connect(api).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    let mut writing = stream.try_clone().unwrap();
    let sender = thread::spawn(move || {
        let request = b"GET /nada HTTP/1.1\r\nHost: x\r\n\r\n";
        writing.write_all(&request.repeat(requests - 1)).unwrap();
        writing.write_all(b"GET /nada HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    });
    let mut answers = Vec::new();
    stream.read_to_end(&mut answers).unwrap();
    sender.join().unwrap();
    let answered = answers.windows(12).filter(|window| window == b"HTTP/1.1 404").count();
    assert_eq!(answered, requests);
}
