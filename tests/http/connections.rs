//! Many requests on one connection: the server keeps the connection after an error unless it left the body unread.

use kuraka_sandbox::sample;

use crate::request::Request;
use crate::shared::shared;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_connection_stays_open_after_errors() {
    let (app, owner) = shared().await;
    let mut wire = app.connect().await;
    let good = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY);
    for refused in [
        app.post("/ruc").ruc(sample::COMPANY),
        app.post("/nada").ruc(sample::COMPANY),
        app.request("PUT", "/ruc").ruc(sample::COMPANY),
        app.post("/ruc").token(&owner.token).header("Content-Type", "text/plain").body("x"),
        app.post("/ruc").token(&owner.token).json("x".repeat(4_097)),
        app.post("/ruc").token(&owner.token).json("x".repeat(60_000)),
        app.post("/nada").json("x".repeat(60_000)),
        app.post("/ruc").json("x".repeat(60_000)),
        app.post("/ruc").token(&owner.token).json("x"),
        app.post("/ruc").token(&owner.token).ruc(sample::ABSENT),
    ] {
        assert!(wire.ask(&refused).await.status >= 400);
        wire.ask(&good).await.found();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn pipelined_requests_are_answered_in_order() {
    let (app, owner) = shared().await;
    let post = |ruc: &str| app.post("/ruc").token(&owner.token).ruc(ruc).bytes();
    let mut wire = app.connect().await;
    wire.send(&[post(sample::COMPANY), post(sample::ABSENT), post(sample::PERSON)].concat()).await;
    assert_eq!(wire.answer().await.unwrap().found()["ruc"], sample::COMPANY);
    wire.answer().await.unwrap().refused("document_not_found");
    assert_eq!(wire.answer().await.unwrap().found()["ruc"], sample::PERSON);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_chunked_body_is_read_even_before_a_web_socket() {
    let (app, owner) = shared().await;
    let head = format!(
        "POST /ruc HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n",
        owner.token
    );
    for upgrade in ["", "Connection: Upgrade\r\nUpgrade: websocket\r\n"] {
        let head = head.replace("Transfer", &format!("{upgrade}Transfer"));
        let mut wire = app.connect().await;
        wire.send(format!("{head}8\r\n{{\"ruc\":\"\r\nd\r\n20100119227\"}}\r\n0\r\n\r\n").as_bytes()).await;
        wire.answer().await.unwrap().found();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn expect_100_continue_is_answered() {
    let (app, owner) = shared().await;
    let request = app.post("/ruc").token(&owner.token).header("Expect", "100-continue").ruc(sample::COMPANY).bytes();
    let head = request.len() - request.rsplit(|byte| *byte == b'\n').next().unwrap().len();
    let mut wire = app.connect().await;
    wire.send(&request[..head]).await;
    assert_eq!(wire.answer().await.unwrap().status, 100);
    wire.send(&request[head..]).await;
    wire.answer().await.unwrap().found();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn connection_close_is_honoured() {
    let (app, owner) = shared().await;
    for request in [
        app.post("/ruc").token(&owner.token).header("Connection", "close").ruc(sample::COMPANY),
        app.post("/ruc").header("Connection", "close").ruc(sample::COMPANY),
    ] {
        let mut wire = app.connect().await;
        let answer = wire.ask(&request).await;
        assert_eq!(answer.must("connection"), "close");
        assert!(wire.is_closed().await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_upgrade_to_http_2_is_ignored() {
    let (app, owner) = shared().await;
    // As Java's HTTP client and `curl --http2` send it.
    let upgraded = |request: Request| {
        request
            .header("Connection", "Upgrade, HTTP2-Settings")
            .header("Upgrade", "h2c")
            .header("HTTP2-Settings", "AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA")
    };
    for request in [
        upgraded(app.post("/ruc").token(&owner.token).ruc(sample::COMPANY)),
        upgraded(app.request("GET", &format!("/ruc/{}", sample::COMPANY)).token(&owner.token)),
        upgraded(app.request("GET", "/usage").token(&owner.token)),
        upgraded(app.request("GET", "/openapi.json")),
        upgraded(app.request("GET", "/docs")),
        upgraded(app.post("/ruc").token(&owner.token).ruc(sample::COMPANY)).header("Upgrade", "TLS/1.0"),
    ] {
        let mut wire = app.connect().await;
        let answer = wire.ask(&request).await;
        assert_eq!((answer.status, answer.must("connection")), (200, "close"));
        assert!(wire.is_closed().await);
    }
    assert_eq!(app.used(&owner).await, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_web_socket_is_answered_and_the_connection_closed() {
    let (app, owner) = shared().await;
    let good = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY);
    let upgraded = |request: Request| request.header("Connection", "Upgrade").header("Upgrade", "websocket");
    let mut wires = Vec::new();
    for (request, code) in [
        (upgraded(good.clone()), "invalid_input"),
        (upgraded(app.post("/ruc").ruc(sample::COMPANY)), "unauthenticated"),
        (upgraded(app.request("GET", "/ruc")), "method_not_allowed"),
        (upgraded(app.request("GET", "/nowhere")), "route_not_found"),
        (app.request("CONNECT", "/ruc"), "method_not_allowed"),
        (app.request("CONNECT", "example.pe:443"), "route_not_found"),
    ] {
        let mut wire = app.connect().await;
        wire.ask(&request).await.refused(code);
        wires.push((wire, code));
    }
    for (mut wire, code) in wires {
        assert!(wire.is_closed().await, "{code}");
    }
    assert_eq!(app.used(&owner).await, 0);
}
