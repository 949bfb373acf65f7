//! An open-loop load generator: requests start at their planned times, however slow the answers are, and latency is
//! measured from the planned start. A slow server can therefore not slow down its own load.
//!
//! `open_loop ADDRESS PATH BODY TOKENS CONNECTIONS PHASE…`: `{n}` in the body is a new number for each request and
//! `{ruc}` a new RUC. TOKENS is a file with one token per line, which are used in turn. A phase is `open:RATE:SECONDS`
//! or `closed:CLIENTS:SECONDS`; in the second form each client sends its next request after its last answer.
//!
//! Prints lines `name value` for each phase. An answer is `answered` (200, or 404 for an absent RUC), `refused` (429, or
//! 503 `service_unavailable`) or `failed` (anything else, and no answer within 5 s).

use std::cell::{Cell, RefCell};
use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, LocalSet};
use tokio::time::{sleep_until, timeout_at};

type Failure = Box<dyn std::error::Error>;

/// A request without an answer after this time has failed.
const MAX_WAIT: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Answered,
    Refused,
    Failed,
}

/// One request that has ended. Times are since the start of the program.
struct Ended {
    planned: Duration,
    at: Duration,
    class: Class,
    /// Whether the answer had a `Retry-After`.
    retry_after: bool,
}

#[derive(Clone, Copy)]
enum Phase {
    Open { rate: f64, seconds: f64 },
    Closed { clients: usize, seconds: f64 },
}

/// What all requests share.
struct Load {
    address: SocketAddr,
    path: String,
    body: String,
    tokens: Vec<String>,
    number: Cell<u64>,
    connections: Semaphore,
    idle: RefCell<Vec<TcpStream>>,
    ended: RefCell<Vec<Ended>>,
    began: Instant,
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, path, body, tokens, connections, phases @ ..] = arguments.as_slice() else {
        return Err("open_loop ADDRESS PATH BODY TOKENS CONNECTIONS PHASE…".into());
    };
    let tokens: Vec<String> = std::fs::read_to_string(tokens)?.lines().map(str::to_owned).collect();
    if tokens.is_empty() {
        return Err("the file has no token".into());
    }
    let phases = phases.iter().map(|phase| parse(phase)).collect::<Result<Vec<_>, _>>()?;
    // Other numbers in each run, so that no answer comes from a cache.
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let load = Rc::new(Load {
        address: address.parse()?,
        path: path.clone(),
        body: body.clone(),
        tokens,
        number: Cell::new(now % 4_000 * 10_000),
        connections: Semaphore::new(connections.parse()?),
        idle: RefCell::default(),
        ended: RefCell::default(),
        began: Instant::now(),
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let spans = LocalSet::new().block_on(&runtime, run(&load, &phases));
    report(&load.ended.borrow(), &spans);
    Ok(())
}

fn parse(phase: &str) -> Result<Phase, Failure> {
    let parts: Vec<&str> = phase.split(':').collect();
    Ok(match parts.as_slice() {
        ["open", rate, seconds] => Phase::Open { rate: rate.parse()?, seconds: seconds.parse()? },
        ["closed", clients, seconds] => Phase::Closed { clients: clients.parse()?, seconds: seconds.parse()? },
        _ => return Err(format!("{phase} is no phase").into()),
    })
}

/// Runs the phases without a pause between them. Returns when each began and ended.
async fn run(load: &Rc<Load>, phases: &[Phase]) -> Vec<(Duration, Duration)> {
    let mut spans = Vec::new();
    let mut calls = JoinSet::new();
    for phase in phases {
        let began = load.began.elapsed();
        match *phase {
            Phase::Open { rate, seconds } => {
                let count = (rate * seconds) as u64;
                for call in 0..count {
                    let planned = began + Duration::from_secs_f64(call as f64 / rate);
                    // Timers have a resolution of a millisecond, so several requests may be due at once.
                    if load.began.elapsed() < planned {
                        sleep_until((load.began + planned).into()).await;
                    }
                    let load = Rc::clone(load);
                    calls.spawn_local(async move { load.call(planned).await });
                    while calls.try_join_next().is_some() {}
                }
                let end = began + Duration::from_secs_f64(seconds);
                sleep_until((load.began + end).into()).await;
            }
            Phase::Closed { clients, seconds } => {
                let end = began + Duration::from_secs_f64(seconds);
                for _ in 0..clients {
                    let load = Rc::clone(load);
                    calls.spawn_local(async move {
                        while load.began.elapsed() < end {
                            load.call(load.began.elapsed()).await;
                        }
                    });
                }
                while calls.join_next().await.is_some() {}
            }
        }
        spans.push((began, load.began.elapsed()));
    }
    while calls.join_next().await.is_some() {}
    spans
}

impl Load {
    async fn call(&self, planned: Duration) {
        let deadline = self.began + planned + MAX_WAIT;
        let (class, retry_after) =
            timeout_at(deadline.into(), self.ask()).await.ok().and_then(Result::ok).unwrap_or((Class::Failed, false));
        let at = self.began.elapsed();
        self.ended.borrow_mut().push(Ended { planned, at, class, retry_after });
    }

    async fn ask(&self) -> io::Result<(Class, bool)> {
        let _connection = self.connections.acquire().await.map_err(io::Error::other)?;
        let request = self.request();
        let kept = self.idle.borrow_mut().pop();
        if let Some(mut stream) = kept {
            // The server may have closed an idle connection: then the request is sent again on a new one.
            if let Ok(answer) = exchange(&mut stream, &request).await {
                self.idle.borrow_mut().push(stream);
                return Ok(answer);
            }
        }
        let mut stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        let answer = exchange(&mut stream, &request).await?;
        self.idle.borrow_mut().push(stream);
        Ok(answer)
    }

    fn request(&self) -> Vec<u8> {
        let number = self.number.replace(self.number.get() + 1);
        let token = &self.tokens[number as usize % self.tokens.len()];
        let body = self.body.replace("{n}", &(1 + number % 99_999_999).to_string());
        let body = body.replace("{ruc}", &ruc(50_000_000 + number % 40_000_000));
        format!(
            "POST {} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.path,
            self.address,
            body.len()
        )
        .into_bytes()
    }
}

/// Sends one request and reads its answer.
async fn exchange(stream: &mut TcpStream, request: &[u8]) -> io::Result<(Class, bool)> {
    stream.write_all(request).await?;
    let mut answer = Vec::with_capacity(2_048);
    loop {
        if stream.read_buf(&mut answer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let Some(head) = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n") else { continue };
        let text = String::from_utf8_lossy(&answer[..head]).to_ascii_lowercase();
        let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
        let whole = head + 4 + length.unwrap_or(0);
        if answer.len() < whole {
            continue;
        }
        let overloaded = answer[head..].windows(19).any(|bytes| bytes == b"service_unavailable");
        let class = match text.get(9..12) {
            Some("200" | "404") => Class::Answered,
            Some("429") => Class::Refused,
            Some("503") if overloaded => Class::Refused,
            _ => Class::Failed,
        };
        return Ok((class, text.contains("\r\nretry-after:")));
    }
}

/// A company's RUC with this number and its check digit.
fn ruc(number: u64) -> String {
    let body = format!("20{number:08}");
    let weights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
    let sum: u32 = body.bytes().zip(weights).map(|(digit, weight)| u32::from(digit - b'0') * weight).sum();
    format!("{body}{}", (11 - sum % 11) % 10)
}

fn report(ended: &[Ended], spans: &[(Duration, Duration)]) {
    for (phase, (from, to)) in spans.iter().enumerate() {
        let of: Vec<&Ended> = ended.iter().filter(|call| call.planned >= *from && call.planned < *to).collect();
        let seconds = (*to - *from).as_secs_f64();
        let good =
            ended.iter().filter(|call| call.class == Class::Answered && call.at >= *from && call.at < *to).count();
        println!("{phase}.offered {:.1}\n{phase}.goodput {:.1}", of.len() as f64 / seconds, good as f64 / seconds);
        for class in [Class::Answered, Class::Refused, Class::Failed] {
            let name = format!("{phase}.{class:?}").to_lowercase();
            let mut took: Vec<Duration> =
                of.iter().filter(|call| call.class == class).map(|call| call.at.saturating_sub(call.planned)).collect();
            took.sort_unstable();
            println!("{name} {}", took.len());
            for (label, share) in [("p50", 0.5), ("p99", 0.99), ("p999", 0.999)] {
                let at = took.get((took.len() as f64 * share) as usize).or(took.last());
                println!("{name}_{label}_ms {:.2}", at.map_or(0.0, |took| took.as_secs_f64() * 1e3));
            }
        }
        let bare = of.iter().filter(|call| call.class == Class::Refused && !call.retry_after).count();
        println!("{phase}.refused_without_retry_after {bare}");
        println!("{phase}.recovered_s {}", recovered(&of, *from, seconds as usize));
    }
}

/// The end of the last second of a phase in which fewer than 90 % of the requests were answered.
fn recovered(calls: &[&Ended], from: Duration, seconds: usize) -> usize {
    let of_second = |second: usize| {
        let of = calls.iter().filter(|call| (call.planned - from).as_secs() == second as u64);
        let (answered, all) =
            of.fold((0, 0), |(good, all), call| (good + usize::from(call.class == Class::Answered), all + 1));
        answered * 10 >= all * 9
    };
    (0..seconds).rev().find(|second| !of_second(*second)).map_or(0, |second| second + 1)
}
