//! Heads, bodies and idle connections.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, advance, sleep};

use super::client::{CHUNKED, Client, GET, POST, WAIT, WAITS, connect, connect_with, limits, run, table};
use crate::limits::Limits;
use crate::table::Table;

/// The tick of the timer, and of the dripping.
const TICK: f64 = 0.6;

#[track_caller]
fn closed_at(what: &str, (read, closed): (String, f64), expected: f64) -> String {
    assert!((expected..expected + TICK).contains(&closed), "{what} closed after {closed} s, not {expected}: {read}");
    read
}

#[test]
fn every_head_must_be_complete_in_time() {
    run(async {
        let half = "GET /small HTTP/1.1\r\nHost: x\r\nX-A: ";
        for before in ["", GET, POST, CHUNKED, &[GET, POST, GET].concat(), &[POST, POST].concat()] {
            let first = format!("{before}{half}");
            let read = closed_at(before, Client::that_sends(&first).await.closed().await, 5.0);
            assert_eq!(read.matches("200 OK").count(), before.matches("HTTP/1.1").count(), "{before}");
            assert!(read.ends_with("408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"), "{read}");
            closed_at(before, Client::that_sends(&first).await.dripping("a").closed().await, 5.0);
            let mut client = Client::that_sends(before).await;
            if !before.is_empty() {
                sleep(Duration::from_secs(20)).await;
                client.send("G").await;
                closed_at(before, client.closed().await, 25.0);
            }
        }
        closed_at("silence", connect().await.closed().await, 5.0);
    });
}

#[test]
fn a_body_must_be_complete_in_time() {
    run(async {
        for head in ["Content-Length: 1000", "Transfer-Encoding: chunked"] {
            for path in ["/echo", "/nowhere", "/small"] {
                for before in ["", GET, POST, CHUNKED] {
                    let request = format!("{before}POST {path} HTTP/1.1\r\nHost: x\r\n{head}\r\n\r\n");
                    let (read, closed) = Client::that_sends(&request).await.closed().await;
                    // A path that does not read its body may be answered and closed at once.
                    assert!(closed <= 10.0 + TICK, "{request}: {closed}: {read}");
                    let drip = if head.starts_with('C') { "x" } else { "1\r\nx\r\n" };
                    let (read, closed) = Client::that_sends(&request).await.dripping(drip).closed().await;
                    assert!(closed <= 10.0 + TICK, "{request}: {closed}: {read}");
                }
            }
        }
        let mut client = Client::that_sends("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nfou").await;
        sleep(Duration::from_secs(9)).await;
        client.send("r").await;
        assert!(client.answer().await.ends_with("four"));
    });
}

#[test]
fn an_idle_connection_is_kept_for_its_time_after_every_kind_of_request() {
    run(async {
        for request in [GET, POST, CHUNKED, &[GET, POST].concat(), &[CHUNKED, GET, POST].concat()] {
            let mut client = Client::that_sends(request).await;
            sleep(Duration::from_secs(59)).await;
            client.send(request).await;
            let read = closed_at(request, client.closed().await, 119.0);
            assert_eq!(read.matches("200 OK").count(), 2 * request.matches("HTTP/1.1").count(), "{request}");
        }
    });
}

fn post_of_300_bytes() -> String {
    let head = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nX-A: ";
    format!("{head}{}\r\n\r\nfour", "a".repeat(300 - head.len() - 8))
}

/// The HTTP service moves what it has read when its buffer is nearly full, so each number of requests is another case.
#[test]
fn an_idle_connection_is_kept_after_any_number_of_requests() {
    run(async {
        let request = post_of_300_bytes();
        for number in 1..=200 {
            let mut client = connect().await;
            for _ in 0..number {
                client.send(&request).await;
                client.answer().await;
            }
            sleep(Duration::from_secs(59)).await;
            assert!(!client.is_closed(), "closed after {number} requests");
        }
        // The body waits behind another call.
        for number in 1..=30 {
            let mut client = connect().await;
            for _ in 0..number {
                client.send(&request).await;
                client.answer().await;
            }
            client.send(&[WAIT, &request].concat()).await;
            client.answer().await;
            client.answer().await;
            sleep(Duration::from_secs(59)).await;
            assert!(!client.is_closed(), "closed after {number} requests and two in one packet");
        }
    });
}

#[test]
fn an_idle_connection_is_kept_after_a_body_that_fills_the_buffer() {
    /// What the HTTP service reads before it looks for requests.
    const FULL: usize = 128 * 1024;
    run(async {
        let limits = Limits { max_head_bytes: 4 * FULL, ..limits() };
        let mut client = connect_with(&Arc::new(Table::new(limits, Arc::new(()))), 8 * FULL).await;
        let head = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 130000\r\nX-A: ";
        let rest = FULL - WAIT.len() - head.len() - 4 - 130_000;
        let request = format!("{head}{}\r\n\r\n{}", "a".repeat(rest), "x".repeat(130_000));
        // The buffer moves while the body waits behind another call.
        client.send(&[WAIT, &request].concat()).await;
        client.answer().await;
        client.answer().await;
        sleep(Duration::from_secs(59)).await;
        assert!(!client.is_closed());
    });
}

#[test]
fn half_a_head_is_due_after_any_number_of_requests() {
    run(async {
        let request = post_of_300_bytes();
        for number in 1..=60 {
            for before in ["", WAIT] {
                let mut client = connect().await;
                for _ in 1..number {
                    client.send(&request).await;
                    client.answer().await;
                }
                client.send(&[before, &request, "GET /sm"].concat()).await;
                let waits = if before.is_empty() { 0.0 } else { WAITS as f64 };
                closed_at("half a head", client.closed().await, waits + 5.0);
            }
        }
    });
}

#[test]
fn a_call_in_progress_has_no_deadline_of_the_connection() {
    run(async {
        let mut client = Client::that_sends(&[WAIT, "GET /sm"].concat()).await;
        let answer = client.answer().await;
        assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
        // The rest of the next head is due when the answer is complete.
        closed_at("half a head", client.closed().await, WAITS as f64 + 5.0);
    });
}

#[test]
fn a_head_has_a_largest_size() {
    run(async {
        let most = limits().max_head_bytes;
        let head = |bytes: usize| format!("GET /small HTTP/1.1\r\nHost: x\r\nX-A: {}", "a".repeat(bytes - 40));
        for before in ["", GET] {
            let fits = format!("{before}{}\r\n\r\n", head(most - 8));
            let mut client = Client::that_sends(&fits).await;
            for _ in 0..fits.matches("HTTP/1.1").count() {
                assert!(client.answer().await.starts_with("HTTP/1.1 200 OK"));
            }
            let mut client = Client::that_sends(before).await;
            sleep(Duration::from_secs(1)).await;
            client.send(&head(2 * most)).await;
            let read = closed_at("a large head", client.closed().await, 1.0);
            assert!(read.contains("HTTP/1.1 431 Request Header Fields Too Large\r\n"), "{read}");
        }
        let many = 4 * most / GET.len();
        let mut client = Client::that_sends(&[WAIT, &GET.repeat(many)].concat()).await;
        for _ in 0..=many {
            assert!(client.answer().await.starts_with("HTTP/1.1 200 OK"));
        }
        let body = "x".repeat(4 * most);
        let request = format!("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        assert!(Client::that_sends(&request).await.answer().await.ends_with(&body));
        // What is not HTTP gets one answer.
        let read = closed_at("noise", Client::that_sends(&"\u{1}".repeat(2 * most)).await.closed().await, 0.0);
        assert_eq!(read.matches("HTTP/1.1").count(), 1, "{read}");
    });
}

#[test]
fn little_is_read_of_a_head_that_comes_with_the_end_of_a_body() {
    const PIPE: usize = 256 * 1024;
    run(async {
        let mut client = connect_with(&table(), PIPE).await;
        let head = "POST /late HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nfou";
        client.send(head).await;
        sleep(Duration::from_secs(1)).await;
        let burst = format!("rGET /small HTTP/1.1\r\nHost: x\r\nX-A: {}", "a".repeat(127 * 1024));
        client.send(&burst).await;
        sleep(Duration::from_secs(1)).await;
        let sent = head.len() + burst.len() + client.fill().await;
        let read = sent - PIPE;
        // Some before the body's end is known, and some after it.
        assert!(read <= 4 * limits().max_head_bytes, "{read} bytes were read");
    });
}

#[test]
fn a_request_that_is_answered_at_once_does_not_move_the_timer() {
    run(async {
        let mut client = connect().await;
        let began = Instant::now();
        for _ in 0..1_000 {
            client.send(POST).await;
            client.answer().await;
        }
        // Nothing waited for a timer.
        assert_eq!(began.elapsed(), Duration::ZERO);
        advance(Duration::from_secs(59)).await;
        client.send(POST).await;
        client.answer().await;
    });
}
