//! An open-loop load generator for latencies below a millisecond: calls of `POST /ruc` at a constant rate, however slow
//! the answers are. Latency is counted from the planned time of a call, so a call that waits for a free connection has
//! waited. It never sleeps, because timers would add their own delay, and so needs a core of its own.
//!
//! `constant_rate ADDRESS TOKEN RUCS CONNECTIONS RATE CALLS`: RUCS is a file with one RUC per line, which are called in
//! random order. It ends after CALLS, or with `CALLS` = `-` as soon as its standard input is closed.
//!
//! Prints lines `name value`. Fails unless every answer is a 200.

use std::hint;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error>;

/// A longer pause between two looks means that this program did not have its core.
const PAUSE: Duration = Duration::from_millis(1);

/// A call without an answer after this time ends the run.
const MAX_WAIT: Duration = Duration::from_secs(60);

struct Connection {
    stream: TcpStream,
    /// What has arrived of the answer.
    answer: Vec<u8>,
    /// When its call should have been sent, since the start.
    planned: Duration,
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, token, rucs, connections, rate, calls] = arguments.as_slice() else {
        return Err("constant_rate ADDRESS TOKEN RUCS CONNECTIONS RATE CALLS".into());
    };
    let requests: Vec<Vec<u8>> = shuffled(std::fs::read_to_string(rucs)?.lines().collect())
        .iter()
        .map(|ruc| request(address, token, ruc).into_bytes())
        .collect();
    let rate: f64 = rate.parse()?;
    let (calls, stop) = match calls.as_str() {
        "-" => (u64::MAX, when_input_closes()),
        number => (number.parse()?, Arc::default()),
    };
    let mut connections = (0..connections.parse()?).map(|_| connect(address)).collect::<Result<Vec<_>, _>>()?;
    let mut idle: Vec<usize> = (0..connections.len()).collect();
    let mut busy: Vec<usize> = Vec::new();
    let mut latencies: Vec<Duration> = Vec::with_capacity(1 << 22);
    let (mut looked, mut absent) = (Duration::ZERO, Duration::ZERO);
    let (mut sent, mut is_stopped) = (0, false);
    let began = Instant::now();
    while !busy.is_empty() || !is_stopped {
        is_stopped = is_stopped || sent >= calls || stop.load(Ordering::Relaxed);
        let now = began.elapsed();
        absent += Some(now - looked).filter(|&pause| pause > PAUSE).unwrap_or_default();
        looked = now;
        let planned = Duration::from_secs_f64(sent as f64 / rate);
        if !is_stopped
            && planned <= now
            && let Some(free) = idle.pop()
        {
            let connection = &mut connections[free];
            connection.planned = planned;
            // A request is smaller than a socket's empty send buffer.
            connection.stream.write_all(&requests[sent as usize % requests.len()])?;
            busy.push(free);
            sent += 1;
            continue;
        }
        let before = busy.len();
        for place in (0..busy.len()).rev() {
            let connection = &mut connections[busy[place]];
            if connection.has_answered()? {
                latencies.push(began.elapsed() - connection.planned);
                idle.push(busy.swap_remove(place));
            } else if began.elapsed().saturating_sub(connection.planned) > MAX_WAIT {
                return Err("a call has no answer".into());
            }
        }
        if busy.len() == before {
            hint::spin_loop();
        }
    }
    report(latencies, began.elapsed(), absent);
    Ok(())
}

impl Connection {
    /// Reads what is there. An answer is complete when its body is.
    fn has_answered(&mut self) -> Result<bool, Failure> {
        let mut part = [0; 4096];
        match self.stream.read(&mut part) {
            Ok(0) => return Err("the server closed a connection".into()),
            Ok(length) => self.answer.extend_from_slice(&part[..length]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        let Some(head) = self.answer.windows(4).position(|bytes| bytes == b"\r\n\r\n") else { return Ok(false) };
        let text = std::str::from_utf8(&self.answer[..head])?;
        let length = text.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
        });
        if self.answer.len() < head + 4 + length.ok_or("an answer has no length")? {
            return Ok(false);
        }
        if !text.starts_with("HTTP/1.1 200") {
            return Err(format!("an answer is not a 200: {text}").into());
        }
        self.answer.clear();
        Ok(true)
    }
}

fn connect(address: &str) -> Result<Connection, Failure> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    stream.set_nonblocking(true)?;
    Ok(Connection { stream, answer: Vec::with_capacity(4096), planned: Duration::ZERO })
}

fn request(address: &str, token: &str, ruc: &str) -> String {
    let body = format!(r#"{{"ruc":"{ruc}"}}"#);
    format!(
        "POST /ruc HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// In the same random order in each run.
fn shuffled<T>(mut values: Vec<T>) -> Vec<T> {
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    for place in (1..values.len()).rev() {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        values.swap(place, random as usize % (place + 1));
    }
    values
}

/// Becomes true when the standard input is closed.
fn when_input_closes() -> Arc<AtomicBool> {
    let closed = Arc::new(AtomicBool::new(false));
    let signal = Arc::clone(&closed);
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        signal.store(true, Ordering::Relaxed);
    });
    closed
}

fn report(mut latencies: Vec<Duration>, took: Duration, absent: Duration) {
    println!("calls {}\nper_second {:.0}", latencies.len(), latencies.len() as f64 / took.as_secs_f64());
    latencies.sort_unstable();
    for (name, share) in [("p50", 0.5), ("p99", 0.99), ("p999", 0.999), ("longest", 1.0)] {
        let at = latencies.get((latencies.len() as f64 * share) as usize).or(latencies.last());
        println!("{name}_ms {:.3}", at.map_or(0.0, |took| took.as_secs_f64() * 1e3));
    }
    println!("absent_ms {:.3}", absent.as_secs_f64() * 1e3);
}
