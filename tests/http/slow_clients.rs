//! Clients that send or read slowly, or not at all: each is closed within its time, and other callers notice nothing.
//! `RELIABILITY_SLOW_CLIENTS=default` runs them with the default settings.

use std::net::SocketAddr;
use std::time::Duration;

use kuraka_sandbox::sample;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::app::{App, Owner, Scene, scene};
use crate::padron::padron_of;
use crate::reliability::{figure, setting};
use crate::shared::Shared;
use crate::wire::Wire;

/// What a busy machine may add to a time.
const SLACK: Duration = Duration::from_millis(1_500);
/// Time between two bytes of a slow client.
const DRIP: Duration = Duration::from_millis(100);

/// The times of a server.
#[derive(Clone, Copy)]
struct Times {
    head: Duration,
    body: Duration,
    grace: Duration,
    keep: Duration,
}

/// Short times, so that a test is short. An idle connection is kept longer than a head may take, so that the two are
/// told apart.
const SHORT: Times = Times {
    head: Duration::from_millis(1_000),
    body: Duration::from_millis(1_500),
    grace: Duration::from_millis(1_500),
    keep: Duration::from_millis(5_000),
};
const DEFAULT: Times = Times {
    head: Duration::from_secs(5),
    body: Duration::from_secs(10),
    grace: Duration::from_secs(15),
    keep: Duration::from_secs(5),
};

/// A server of these times with a large padrón.
async fn with(times: Times) -> Scene {
    static IMPORTED: Shared =
        Shared::new(|| Box::pin(async { scene().published(&padron_of(20_000), None).start().await }));
    scene().plan(1_000_000, 1_000_000, 1_000_000).with_editions_of(IMPORTED.app().await).changed(move |settings| {
        settings.connections.head_timeout = times.head;
        settings.connections.body_timeout = times.body;
        settings.connections.response_grace = times.grace;
        settings.connections.keep_alive = times.keep;
    })
}

/// What a slow client does.
struct Slow {
    name: &'static str,
    to: SocketAddr,
    /// Sent at once.
    first: Vec<u8>,
    /// Sent piece by piece, with a pause after each.
    then: Vec<Vec<u8>>,
    /// How long the server may keep the connection.
    within: Duration,
    /// Reads a byte at a time, with a small receive buffer.
    reads_slowly: bool,
}

impl Slow {
    fn sends(name: &'static str, to: SocketAddr, first: impl Into<Vec<u8>>, within: Duration) -> Self {
        Self { name, to, first: first.into(), then: Vec::new(), within, reads_slowly: false }
    }

    fn then(mut self, pieces: impl Iterator<Item = Vec<u8>>) -> Self {
        self.then = pieces.take(1_000).collect();
        self
    }

    fn drips(self, text: &str) -> Self {
        self.then(text.bytes().map(|byte| vec![byte]).collect::<Vec<_>>().into_iter().cycle())
    }

    fn reads_slowly(mut self) -> Self {
        self.reads_slowly = true;
        self
    }

    /// Runs the client until the server closes the connection. Returns the time that this took.
    async fn run(self) -> (Self, Duration) {
        let socket = TcpSocket::new_v4().unwrap();
        if self.reads_slowly {
            socket.set_recv_buffer_size(4_096).unwrap();
        }
        let mut stream = socket.connect(self.to).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let began = Instant::now();
        let _ = stream.write_all(&self.first).await;
        let (mut beat, mut pieces) = (interval(DRIP), self.then.iter());
        let mut buffer = vec![0; if self.reads_slowly { 1 } else { 4_096 }];
        loop {
            beat.tick().await;
            if let Some(piece) = pieces.next() {
                let _ = stream.write_all(piece).await;
            }
            if is_closed(&mut stream, &mut buffer).await {
                return (self, began.elapsed());
            }
            let late = began.elapsed() > self.within + SLACK;
            assert!(!late, "{} is still open after {:?}", self.name, began.elapsed());
        }
    }
}

/// Reads what fits into the buffer. Whether the server has closed the connection, even if bytes are left to read.
async fn is_closed(stream: &mut TcpStream, buffer: &mut [u8]) -> bool {
    let read = timeout(Duration::from_millis(1), stream.read(buffer)).await;
    matches!(read, Ok(Ok(0) | Err(_))) || stream.take_error().unwrap().is_some()
}

/// Calls on one connection with short and long pauses until told to stop. Returns the number of calls.
async fn honest(mut wire: Wire, request: crate::request::Request, pause: Duration, until: Instant) -> u64 {
    let (mut calls, mut beat) = (0, interval(pause));
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while Instant::now() < until {
        beat.tick().await;
        wire.ask(&request).await.found();
        calls += 1;
    }
    calls
}

/// Eleven kinds of slow clients, in several forms.
fn slow_clients(app: &App, owner: &Owner, times: Times) -> Vec<Slow> {
    let whole = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).bytes();
    let get = |path: &str| format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
    let half = "POST /ruc HTTP/1.1\r\nHost: x\r\nX-";
    let head = |path: &str, framing: &str| {
        let form = "Content-Type: application/x-www-form-urlencoded";
        format!("POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n{form}\r\n{framing}\r\n\r\n")
    };
    let known = format!(
        "POST /ruc HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
         Content-Length: 27\r\n\r\n",
        owner.token
    );
    let length = "Content-Length: 200";
    let (api, admin) = (app.api, app.admin);
    let mut slow = Vec::new();
    for to in [api, admin] {
        slow.push(Slow::sends("a silent client", to, "", times.head));
        slow.push(
            Slow::sends("a dripped first head", to, "GET /docs HTTP/1.1\r\nHost: x\r\n", times.head)
                .drips("X-A: b\r\n"),
        );
        let first = get("/healthz");
        slow.push(
            Slow::sends("a dripped second head", to, &*first, times.head + DRIP)
                .drips("GET /docs HTTP/1.1\r\nHost: x\r\nX-A: bbbbbbbbbbbbbbbbbbbbbbbbbbbb"),
        );
        let one_byte = || [vec![], vec![b'G']].into_iter();
        slow.push(Slow::sends("one byte of a second head", to, &*first, times.head + 2 * DRIP).then(one_byte()));
        slow.push(Slow::sends("a request and half a head", to, format!("{first}{half}"), times.head));
        slow.push(
            Slow::sends("a request and half a head, dripped", to, format!("{first}{half}"), times.head)
                .drips("A: b\r\nX-"),
        );
        let body = format!("{first}{}a=b", head("/nowhere", length));
        slow.push(Slow::sends("a request and part of a body", to, body, times.body));
        slow.push(Slow::sends("a body that never comes", to, head("/nowhere", length), times.body));
        slow.push(Slow::sends("a dripped body", to, head("/nowhere", length), times.body).drips("a=b&"));
    }
    for path in ["/ruc", "/panel/ingresar", "/docs", "/openapi.json"] {
        slow.push(Slow::sends("a dripped body", api, head(path, length), times.body).drips("a=b&"));
    }
    slow.push(Slow::sends("a dripped body with a token", api, known, times.body).drips(" "));
    let chunks = || std::iter::repeat(b"1\r\n \r\n".to_vec());
    let chunked = head("/ruc", "Transfer-Encoding: chunked");
    slow.push(Slow::sends("chunks of one byte", api, &*chunked, times.body).then(chunks()));
    let after = [&whole[..], half.as_bytes()].concat();
    slow.push(Slow::sends("a call and half a head", api, after.clone(), times.head));
    slow.push(Slow::sends("a call and half a head, dripped", api, after, times.head).drips("A: b\r\nX-"));
    let after = [&whole[..], &whole[..whole.len() - 3]].concat();
    slow.push(Slow::sends("a call and part of a body", api, after, times.body));
    let reading = times.grace * 4 / 3;
    slow.push(Slow::sends("a slow reader of a page", api, get("/openapi.json"), reading).reads_slowly());
    slow.push(Slow::sends("a slow reader of the edition", admin, get("/edition/padron"), reading).reads_slowly());
    let large = format!("GET /docs HTTP/1.1\r\nHost: x\r\nX-A: {}", "a".repeat(127 * 1024));
    slow.push(Slow::sends("a large head", api, large, times.head));
    slow
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_clients_are_closed_and_others_notice_nothing() {
    let times = if setting("SLOW_CLIENTS").is_some() { DEFAULT } else { SHORT };
    let (app, owner) = with(times).await.start_with_owner().await;
    let call = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY);
    let until = Instant::now() + 2 * times.grace;
    let mut callers = JoinSet::new();
    // The last one is idle for longer than a head may take.
    for pause in
        [Duration::from_millis(5), Duration::from_millis(50), times.head.mul_f32(0.9) + Duration::from_millis(300)]
    {
        callers.spawn(honest(app.connect().await, call.clone(), pause, until));
    }
    let mut clients = JoinSet::new();
    slow_clients(&app, &owner, times).into_iter().for_each(|slow| drop(clients.spawn(slow.run())));
    let kinds = clients.len();
    let closed = clients.join_all().await;
    let latest = closed.iter().map(|(slow, took)| took.saturating_sub(slow.within)).max().unwrap();
    for (slow, took) in &closed {
        crate::reliability::detail(&format!("{}: closed after {took:?}, at most {:?}", slow.name, slow.within));
    }
    let calls: u64 = callers.join_all().await.into_iter().sum();
    let measured = format!("all closed, at most {} ms late; 0 of {calls} calls failed", latest.as_millis());
    figure("L5–L8", &format!("{kinds} slow clients, 3 callers beside them"), &measured);
    let metrics = app.admin("/metrics").send().await.body;
    for reason in ["head_timeout", "body_timeout", "slow_reader", "large_head"] {
        let line = format!("kuraka_connections_closed_total{{listener=\"public\",reason=\"{reason}\"}} ");
        let count = metrics.lines().find_map(|known| known.strip_prefix(&line)).unwrap();
        assert_ne!(count, "0", "{reason}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_steady_reader_gets_the_whole_edition() {
    let times = Times { grace: Duration::from_millis(500), ..SHORT };
    let app = with(times).await.start().await;
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(app.admin).await.unwrap();
    stream.write_all(b"GET /edition/padron HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
    let (mut read, mut piece, began) = (Vec::new(), vec![0; 32 * 1024], Instant::now());
    let mut beat = interval(Duration::from_millis(50));
    loop {
        beat.tick().await;
        match stream.read(&mut piece).await.unwrap() {
            0 => break,
            length => read.extend_from_slice(&piece[..length]),
        }
        if began.elapsed() > 4 * times.grace {
            beat = interval(Duration::from_millis(1));
        }
    }
    assert!(began.elapsed() > 4 * times.grace, "{:?}", began.elapsed());
    let end = read.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(read[..end].to_vec()).unwrap().to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    assert_eq!(length.parse::<usize>().unwrap(), read.len() - end - 4);
}
