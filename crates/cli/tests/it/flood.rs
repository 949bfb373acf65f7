//! Floods of connections, from several processes and addresses, beside one normal client; and a process without free
//! file descriptors. `RELIABILITY_CONNECTIONS=20000` sets the number of connections.

use std::io::{BufRead, BufReader, Read};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use kuraka_sandbox::sample;
use rustix::process::{Pid, Resource, Rlimit, prlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{Instant, timeout};

use super::http::{get, lookup, lookup_request, metric};
use super::program::{Home, Serving, eventually};
use super::reliability::{figure, number};

/// Connections that one client process holds. A process may usually open 1,024 files.
const PER_PROCESS: u64 = 800;
/// Connections that have given way and are not closed yet: each worker accepts up to 128 in a row. A large flood leaves
/// more of them.
const CLOSING: u64 = 256;
/// Variables that make this test program a client process: the address, the number of connections, what is sent.
const TO: &str = "KURAKA_FLOOD_TO";
const COUNT: &str = "KURAKA_FLOOD_COUNT";
const SENDS: &str = "KURAKA_FLOOD_SENDS";

/// A client process. Killed when dropped.
struct Flooder(Child);

impl Flooder {
    fn start(to: SocketAddr, count: u64, sends: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "flood::a_flooding_process_holds_its_connections", "--nocapture"]);
        command.env(TO, to.to_string()).env(COUNT, count.to_string()).env(SENDS, sends);
        Self(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap())
    }

    /// Waits until every connection has been attempted.
    fn attempted(&mut self) {
        let lines = BufReader::new(self.0.stdout.as_mut().unwrap()).lines();
        assert!(lines.map(Result::unwrap).any(|line| line.contains("attempted")));
    }
}

impl Drop for Flooder {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn flood(to: SocketAddr, count: u64, sends: &str) -> Vec<Flooder> {
    let parts = (0..count).step_by(PER_PROCESS as usize).map(|from| PER_PROCESS.min(count - from));
    parts.map(|part| Flooder::start(to, part, sends)).collect()
}

/// Opens connections from four addresses, 100 at a time, sends the text on each, and holds them.
async fn hold(to: SocketAddr, count: u64, sends: &str) -> Vec<TcpStream> {
    let mut held = Vec::new();
    for number in 0..count {
        let socket = TcpSocket::new_v4().unwrap();
        let address = Ipv4Addr::new(127, 0, 0, 1 + (number % 4) as u8);
        socket.bind((address, 0).into()).unwrap();
        let Ok(Ok(mut stream)) = timeout(Duration::from_secs(5), socket.connect(to)).await else { continue };
        let _ = stream.write_all(sends.as_bytes()).await;
        held.push(stream);
    }
    held
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the variables tell a client process what to do")]
async fn a_flooding_process_holds_its_connections() {
    if let Ok(to) = std::env::var(TO) {
        let (count, sends) = (std::env::var(COUNT).unwrap(), std::env::var(SENDS).unwrap());
        let held = hold(to.parse().unwrap(), count.parse().unwrap(), &sends).await;
        super::reliability::detail(&format!("attempted {}", held.len()));
        // The parent ends this process.
        let _ = std::io::stdin().read(&mut [0]);
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut flooder = Flooder::start(listener.local_addr().unwrap(), 8, "x");
    flooder.attempted();
    let from: Vec<_> = (0..8).map(|_| listener.accept().unwrap().1.ip().to_string()).collect();
    assert_eq!(from[..5], ["127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.1"]);
}

fn open(serving: &Serving) -> u64 {
    metric(serving.admin, "kuraka_connections{listener=\"public\"}")
}

fn closed(serving: &Serving, reason: &str) -> u64 {
    metric(serving.admin, &format!("kuraka_connections_closed_total{{listener=\"public\",reason=\"{reason}\"}}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_of_connections_does_not_disturb_a_normal_client() {
    let attempted = number("CONNECTIONS", 2_000);
    let most = attempted / 5;
    let home = Home::new()
        .plan(1_000_000, 1_000_000)
        .with("KURAKA__LOG__LEVEL", "warn,kuraka_server::application=info")
        .with("KURAKA__HTTP__MAX_CONNECTIONS", &most.to_string())
        .with("KURAKA__HTTP__MAX_CONNECTIONS_PER_ADDRESS", &(most * 2 / 5).to_string());
    let (serving, token) = home.serve_sample("ana@example.pe");
    assert_eq!(lookup(serving.api, &token, sample::COMPANY).unwrap().status, 200);
    let api = serving.api;
    let flooders = tokio::task::spawn_blocking(move || {
        // Half of them send the beginning of a request.
        let [half, rest] = [attempted / 2, attempted - attempted / 2];
        let mut flooders = flood(api, half, "");
        flooders.extend(flood(api, rest, "POST /ruc HTTP/1.1\r\n"));
        flooders.iter_mut().for_each(Flooder::attempted);
        flooders
    });
    let (mut calls, mut answered, mut slowest, mut peak) = (0_u32, 0_u32, Duration::ZERO, 0);
    // The flood is held until enough calls were made to tell one in a thousand.
    while !flooders.is_finished() || u64::from(calls) < attempted / 20 {
        let began = Instant::now();
        calls += 1;
        answered += u32::from(lookup(api, &token, sample::COMPANY).is_ok_and(|answer| answer.status == 200));
        slowest = slowest.max(began.elapsed());
        if calls.is_multiple_of(20) {
            assert_eq!(get(serving.admin, "/healthz").status, 200);
            peak = peak.max(open(&serving));
        }
    }
    let flooders = flooders.await.unwrap();
    assert!(f64::from(answered) >= 0.999 * f64::from(calls), "{answered} of {calls} calls answered");
    peak = peak.max(open(&serving));
    assert!(peak <= most + CLOSING.max(most / 4), "{peak} connections open, {most} allowed");
    assert_ne!(closed(&serving, "displaced_unused"), 0);
    drop(flooders);
    eventually("the connections are closed", || (open(&serving) == 0).then_some(())).await;
    let measured = format!("{answered} of {calls} calls answered, the slowest in {} ms", slowest.as_millis());
    let tried = format!("{attempted} connections attempted, {most} allowed, at most {peak} open or closing");
    figure("L9", &tried, &measured);
    serving.stop();
}

/// The memory of the server when it has not changed for half a second.
async fn settled_memory(serving: &Serving) -> u64 {
    let (mut latest, mut unchanged) = (0, 0);
    let settled = eventually("the memory settles", || {
        let memory = serving.anonymous_kib();
        unchanged = if memory == latest { unchanged + 1 } else { 0 };
        latest = memory;
        (unchanged == 25).then_some(memory)
    });
    settled.await.0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_connection_costs_little_memory() {
    let held = number("CONNECTIONS", 2_000) / 4;
    let home = Home::new()
        .with("KURAKA__LOG__LEVEL", "warn,kuraka_server::application=info")
        .with("KURAKA__HTTP__KEEP_ALIVE", "120s")
        .with("KURAKA__HTTP__MAX_CONNECTIONS_PER_ADDRESS", "100000")
        .test_times(crate::test_times::SHORT);
    home.import(sample::PADRON);
    let request = lookup_request("none", sample::COMPANY, "");
    let half = format!("POST /ruc HTTP/1.1\r\nHost: x\r\nX-A: {}", "a".repeat(31 * 1024));
    for (what, sends, most) in [("silent", "", 26), ("idle", &*request, 26), ("31 KiB of a head", &*half, 80)] {
        let serving = home.serve();
        get(serving.api, "/llms.txt");
        let before = settled_memory(&serving).await;
        let mut flooders = flood(serving.api, held, sends);
        flooders.iter_mut().for_each(Flooder::attempted);
        eventually("the connections are open", || (open(&serving) == held).then_some(())).await;
        let each = settled_memory(&serving).await.saturating_sub(before) as f64 / held as f64;
        figure("L9", &format!("{held} connections: {what}"), &format!("{each:.1} KiB each"));
        assert!(each > 0.5 && each <= f64::from(most), "{what}: {each} KiB each");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_low_limit_of_files_bounds_the_connections() {
    let home = Home::new().with("KURAKA__LOG__LEVEL", "warn,kuraka_server::application=info").files(200);
    home.import(sample::PADRON);
    let serving = home.serve();
    let held = hold(serving.api, 400, "").await;
    assert_eq!(held.len(), 400);
    for _ in 0..20 {
        assert_eq!(get(serving.api, "/llms.txt").status, 200);
        assert_eq!(get(serving.admin, "/healthz").status, 200);
    }
    let open = open(&serving);
    assert!((45..=54).contains(&open), "{open} connections");
    drop(held);
    let log = serving.stop();
    assert!(!log.iter().any(|line| line.contains("Error accepting")), "{log:?}");
    let warned = log.iter().find(|line| line.contains("the limit of open files allows fewer"));
    assert!(warned.is_some_and(|line| line.contains("\"wanted\":10000")), "{log:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_without_free_files_accepts_again_when_it_has_some() {
    let home = Home::new().with("KURAKA__LOG__LEVEL", "warn,kuraka_server::application=info");
    home.import(sample::PADRON);
    let mut serving = home.serve();
    get(serving.api, "/llms.txt");
    let limit = |current: Option<u64>| {
        let pid = Pid::from_raw(serving.id().try_into().unwrap());
        prlimit(pid, Resource::Nofile, Rlimit { current, maximum: None }).or_else(|_| {
            let maximum = rustix::process::getrlimit(Resource::Nofile).maximum;
            prlimit(pid, Resource::Nofile, Rlimit { current: current.or(maximum), maximum })
        })
    };
    // No file descriptor is free any more: only those of the standard streams are below the limit.
    limit(Some(3)).unwrap();
    let mut waiting = TcpStream::connect(serving.api).await.unwrap();
    waiting.write_all(b"GET /llms.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
    let mut read = Vec::new();
    assert!(timeout(Duration::from_millis(700), waiting.read_to_end(&mut read)).await.is_err());
    limit(None).unwrap();
    timeout(Duration::from_secs(5), waiting.read_to_end(&mut read)).await.unwrap().unwrap();
    assert!(read.starts_with(b"HTTP/1.1 200 OK"));
    assert_eq!(get(serving.api, "/llms.txt").status, 200);
    serving.log("Error accepting connection");
    serving.stop();
}
