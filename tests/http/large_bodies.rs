//! Bodies over the limit: the server rejects them, reads little more, and keeps nothing.

use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::time::{Instant, interval};

use crate::shared::shared;
use crate::wire::Wire;

const LIMIT: usize = 4 * 1024;
/// What the server reads of a body that is too large, plus what buffers may hold.
const MAX_READ_BYTES: usize = LIMIT + 64 * 1024;

fn padded(length: usize) -> String {
    let object = format!("{{\"ruc\":\"{}\"}}", sample::COMPANY);
    format!("{object}{}", " ".repeat(length - object.len()))
}

fn head(token: &str, framing: &str) -> String {
    format!(
        "POST /ruc HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n{framing}\r\n\r\n",
        token
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_body_may_have_4_kib_and_no_byte_more() {
    let (app, owner) = shared().await;
    app.post("/ruc").token(&owner.token).json(padded(LIMIT)).send().await.found();
    for length in [LIMIT + 1, 2 * LIMIT, 64 * 1024] {
        app.post("/ruc").token(&owner.token).json(padded(length)).send().await.refused("payload_too_large");
    }
    assert_eq!(app.used(&owner).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_megabyte_is_rejected_before_the_body_arrives() {
    let (app, owner) = shared().await;
    let mut wires = Vec::new();
    for length in [64 * 1024 + 1, 1_000_000, 10_000_000_000_u64] {
        let mut wire = app.connect().await;
        // The client sends no byte of the body.
        wire.send(head(&owner.token, &format!("Content-Length: {length}")).as_bytes()).await;
        let answer = wire.answer().await.unwrap();
        answer.refused("payload_too_large");
        assert_eq!(answer.must("connection"), "close", "{length}");
        wires.push((wire, length));
    }
    for (mut wire, length) in wires {
        assert!(wire.is_closed().await, "{length}");
    }
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_large_body_without_a_token_is_not_read() {
    let (app, _) = shared().await;
    let mut wire = app.connect().await;
    wire.send(b"POST /ruc HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000000\r\n\r\n").await;
    let answer = wire.answer().await.unwrap();
    answer.refused("unauthenticated");
    assert_eq!(answer.must("connection"), "close");
    assert!(wire.is_closed().await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn endless_chunks_get_an_answer_and_are_cut_off() {
    let (app, owner) = shared().await;
    let chunk = format!("400\r\n{}\r\n", "x".repeat(0x400));
    let mut wires = Vec::new();
    for path_and_token in [format!("/ruc {}", owner.token), "/ruc x".to_owned(), "/nada x".to_owned()] {
        let (path, token) = path_and_token.split_once(' ').unwrap();
        let head = head(token, "Transfer-Encoding: chunked").replace("/ruc", path);
        let mut wire = app.connect().await;
        wire.send(head.as_bytes()).await;
        wire.send(chunk.repeat(MAX_READ_BYTES / 0x400 + 1).as_bytes()).await;
        // The server answers before the body ends.
        let answer = wire.answer().await.unwrap();
        assert!([401, 404, 413].contains(&answer.status), "{answer:?}");
        answer.refused(&answer.code());
        assert_eq!(answer.must("connection"), "close", "{path}");
        wires.push(wire);
    }
    for wire in &mut wires {
        goes_away(wire, chunk.as_bytes()).await;
    }
    assert_eq!(app.used(&owner).await, 0);
    app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await.found();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_client_that_sends_on_is_cut_off() {
    let (app, owner) = shared().await;
    let mut wire = app.connect().await;
    wire.send(head(&owner.token, "Content-Length: 10000000000000").as_bytes()).await;
    wire.answer().await.unwrap().refused("payload_too_large");
    goes_away(&mut wire, &[b'x'; 1024]).await;
}

/// The server reads on for a moment, so that a reset does not destroy its answer, and then closes the connection even if
/// the client still sends.
async fn goes_away(wire: &mut Wire, more: &[u8]) {
    let began = Instant::now();
    let mut beat = interval(Duration::from_millis(5));
    while wire.offer(more).await {
        beat.tick().await;
        assert!(began.elapsed() < Duration::from_secs(5), "the server still reads after {:?}", began.elapsed());
    }
}
