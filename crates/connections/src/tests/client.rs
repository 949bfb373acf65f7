//! A client with a connection in memory to the HTTP/1 service.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use actix_service::{Service, ServiceFactory};
use actix_web::web::{self, Bytes};
use actix_web::{App, Error, HttpResponse};
use futures_util::stream;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::task::{JoinHandle, LocalSet, spawn_local};
use tokio::time::{Instant, sleep, timeout};

use crate::limits::Limits;
use crate::listener::http;
use crate::socket::Socket;
use crate::stream::DeadlineStream;
use crate::table::Table;

/// Answered at once, with 2 bytes.
pub(super) const GET: &str = "GET /small HTTP/1.1\r\nHost: x\r\n\r\n";
/// Answered with its body.
pub(super) const POST: &str = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nfour";
pub(super) const CHUNKED: &str =
    "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n0\r\n\r\n";
/// Answered after this many seconds.
pub(super) const WAIT: &str = "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n";
pub(super) const WAITS: u64 = 40;
pub(super) const LARGE: usize = 1 << 20;

/// An idle connection is kept longer than a head or a body may take.
pub(super) fn limits() -> Limits {
    Limits {
        head_timeout: Duration::from_secs(5),
        body_timeout: Duration::from_secs(10),
        response_grace: Duration::from_secs(15),
        response_min_rate: 240,
        keep_alive: Duration::from_secs(60),
        max_head_bytes: 8_192,
        max_connections: 100,
        max_connections_per_address: None,
        trusted_proxies: crate::TrustedProxies::default(),
    }
}

impl Socket for DuplexStream {
    fn queued(&self) -> u64 {
        0
    }

    fn discard_on_close(&self) {}
}

pub(super) struct Client {
    pub(super) stream: DuplexStream,
    pub(super) began: Instant,
    /// The server's side of the connection.
    server: JoinHandle<()>,
    /// What the client sends while it waits for the end.
    drips: &'static str,
}

/// Runs a test on paused time. The clock moves when every task waits.
pub(super) fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    LocalSet::new().block_on(&runtime, test);
}

/// A table whose bounds no test reaches.
pub(super) fn table() -> Arc<Table> {
    Arc::new(Table::new(limits(), Arc::new(())))
}

/// With a pipe of this many bytes.
pub(super) async fn connect_with(table: &Arc<Table>, buffer: usize) -> Client {
    let app = App::new()
        .route("/small", web::get().to(|| async { HttpResponse::Ok().body("ok") }))
        .route("/large", web::get().to(|| async { HttpResponse::Ok().body(vec![b'x'; LARGE]) }))
        .route(
            "/stream",
            web::get().to(|| async {
                let piece = || Ok::<_, Error>(Bytes::from(vec![b'x'; LARGE / 64]));
                HttpResponse::Ok().streaming(stream::iter((0..64).map(move |_| piece())))
            }),
        )
        .route("/echo", web::post().to(|body: Bytes| async { HttpResponse::Ok().body(body) }))
        .route(
            "/late",
            web::post().to(|body: Bytes| async {
                sleep(Duration::from_secs(WAITS)).await;
                HttpResponse::Ok().body(body)
            }),
        )
        .route(
            "/wait",
            web::get().to(|| async {
                sleep(Duration::from_secs(WAITS)).await;
                HttpResponse::Ok().body("ok")
            }),
        );
    let service = http(app, pending::<()>).new_service(()).await.unwrap();
    let (stream, server) = duplex(buffer);
    let handle = table.open(None).unwrap();
    let server = spawn_local(async move {
        let _ = service.call((DeadlineStream::new(server, handle), None)).await;
    });
    Client { stream, began: Instant::now(), server, drips: "" }
}

pub(super) async fn connect() -> Client {
    connect_with(&table(), 64 * 1024).await
}

impl Client {
    pub(super) async fn that_sends(text: &str) -> Self {
        let mut client = connect().await;
        client.send(text).await;
        client
    }

    pub(super) async fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).await.unwrap();
    }

    /// Whether the server has closed the connection, even if bytes are left to read.
    pub(super) fn is_closed(&self) -> bool {
        self.server.is_finished()
    }

    /// Sends the text in a loop, a byte every half second, while it waits for the end.
    pub(super) fn dripping(mut self, text: &'static str) -> Self {
        self.drips = text;
        self
    }

    /// Waits until the server closes the connection. Returns what was read, and the seconds since the connection began.
    pub(super) async fn closed(&mut self) -> (String, f64) {
        let (mut read, mut drips) = (Vec::new(), self.drips.bytes().cycle());
        loop {
            let waited = timeout(Duration::from_millis(500), self.stream.read_buf(&mut read)).await;
            match (waited, drips.next()) {
                (Ok(Ok(0) | Err(_)), _) => break,
                (Err(_), Some(byte)) => drop(self.stream.write_all(&[byte]).await),
                (Ok(Ok(_)) | Err(_), _) => {}
            }
            assert!(self.began.elapsed() < Duration::from_secs(600), "the connection is still open");
        }
        (String::from_utf8(read).unwrap(), self.began.elapsed().as_secs_f64())
    }

    /// Sends until the pipe is full. Returns the number of bytes.
    pub(super) async fn fill(&mut self) -> usize {
        let mut sent = 0;
        while let Ok(Ok(taken @ 1..)) = timeout(Duration::from_millis(10), self.stream.write(&[b'a'; 1_024])).await {
            sent += taken;
        }
        sent
    }

    pub(super) async fn read(&mut self, bytes: usize) -> String {
        let mut read = vec![0; bytes];
        self.stream.read_exact(&mut read).await.unwrap();
        String::from_utf8(read).unwrap()
    }

    pub(super) async fn answer(&mut self) -> String {
        let mut answer = String::new();
        while !answer.contains("\r\n\r\n") {
            answer += &self.read(1).await;
        }
        let length = answer.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        let body = self.read(length.parse().unwrap()).await;
        answer + &body
    }
}
