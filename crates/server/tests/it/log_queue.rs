//! The log's queue before outputs that block, fail and recover: standard error of a process that logs what it is told.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write, pipe, stdin};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use kuraka_server::logs;
use kuraka_server::metrics::Metrics;
use kuraka_server::settings::{Log, LogFormat};
use serde_json::Value;
use tempfile::TempDir;
use tokio::time::Instant;

use super::own_process;
use super::reliability::detail;

/// Time limit of every wait. It is generous, because only a failing test waits this long.
const DEADLINE: Duration = Duration::from_secs(30);
/// Bytes of the queue.
const CAPACITY: usize = 4 << 20;
/// Precedes the number of dropped lines, with which the process answers an order.
const DROPPED: &str = "dropped ";

/// Obeys an order a line: logs the numbers of a range (`numbers 0..3`), or prints a text so many times in one line
/// (`x 100`). After each it waits for the log, at most as long as a stopping server does.
#[test]
fn a_process_logs_what_it_is_told() {
    if !own_process::is_one() {
        return;
    }
    logs::start_queued(&Log { level: "info".to_owned(), format: LogFormat::Json }).unwrap();
    let metrics = Metrics::new([]);
    for order in stdin().lines() {
        let order = order.unwrap();
        match order.split_once(' ').unwrap() {
            ("numbers", range) => {
                let (from, to) = range.split_once("..").unwrap();
                for number in from.parse::<u64>().unwrap()..to.parse().unwrap() {
                    tracing::info!(number, "a line of the log");
                }
                logs::flush();
            }
            (text, times) => logs::print(&text.repeat(times.parse().unwrap())),
        }
        let page = metrics.print().unwrap();
        let dropped = page.lines().find_map(|line| line.strip_prefix("kuraka_log_lines_dropped_total ")).unwrap();
        detail(&format!("{DROPPED}{dropped}"));
    }
}

/// The lines of an output, as they come.
fn lines(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            if sender.send(line.unwrap()).is_err() {
                break;
            }
        }
    });
    lines
}

fn next(lines: &Receiver<String>) -> String {
    lines.recv_timeout(DEADLINE).unwrap()
}

/// A line of the log: the number that it has, or how many lines it reports as dropped.
#[derive(Debug, PartialEq, Eq)]
enum Logged {
    Number(u64),
    Dropped(u64),
}

fn next_event(lines: &Receiver<String>) -> Logged {
    let event: Value = serde_json::from_str(&next(lines)).unwrap();
    match event["number"].as_u64() {
        Some(number) => Logged::Number(number),
        None => {
            assert_eq!(event["message"], "log lines were dropped", "{event}");
            Logged::Dropped(event["lines"].as_u64().unwrap())
        }
    }
}

/// A process that logs what it is told. It ends when it is dropped.
struct Process {
    child: Child,
    orders: Option<ChildStdin>,
    answers: Receiver<String>,
}

impl Process {
    /// Its standard error is `output`.
    fn start(output: impl Into<Stdio>) -> Self {
        let [program, arguments @ ..] = own_process::command_line("log_queue::a_process_logs_what_it_is_told");
        let mut command = Command::new(program);
        command.args(arguments).env(own_process::VARIABLE, "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(output);
        let mut child = command.spawn().unwrap();
        let (orders, answers) = (child.stdin.take(), lines(child.stdout.take().unwrap()));
        Self { child, orders, answers }
    }

    /// Gives an order. Returns how many lines were dropped so far, once all are written or dropped, or after a second.
    fn told(&mut self, order: &str) -> u64 {
        writeln!(self.orders.as_mut().unwrap(), "{order}").unwrap();
        loop {
            if let Some((_, dropped)) = next(&self.answers).split_once(DROPPED) {
                return dropped.parse().unwrap();
            }
        }
    }

    /// Gives an order after which so many lines are dropped, and waits until they are.
    fn drops(&mut self, order: &str, expected: u64) {
        let until = Instant::now() + DEADLINE;
        let mut dropped = self.told(order);
        while dropped != expected {
            assert!(Instant::now() < until, "{dropped} lines are dropped, not {expected}");
            dropped = self.told("numbers 0..0");
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.orders.take());
        let _ = self.child.wait();
    }
}

/// A pipe with a name, whose reader can leave and come back.
struct NamedPipe {
    path: PathBuf,
    _folder: TempDir,
}

impl NamedPipe {
    /// The pipe, its writer, and its first reader.
    fn open() -> (Self, File, File) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        // Either end alone would wait for the other.
        let both = File::options().read(true).write(true).open(&path).unwrap();
        let writer = File::options().write(true).open(&path).unwrap();
        let reader = File::open(&path).unwrap();
        drop(both);
        (Self { path, _folder: folder }, writer, reader)
    }

    fn reader(&self) -> File {
        File::open(&self.path).unwrap()
    }
}

#[test]
fn lines_are_written_in_order() {
    let (reader, writer) = pipe().unwrap();
    let mut process = Process::start(writer);
    let log = lines(reader);
    assert_eq!(process.told("numbers 0..1000"), 0);
    for number in 0..1_000 {
        assert_eq!(next_event(&log), Logged::Number(number));
    }
}

#[test]
fn a_blocked_output_drops_and_counts_lines_beyond_the_capacity() {
    const LINES: u64 = 50_000;
    let (reader, writer) = pipe().unwrap();
    let mut process = Process::start(writer);
    // More than the pipe holds: from here on the thread that writes waits, and the process answers all the same.
    assert_eq!(process.told("numbers 0..2000"), 0);
    let dropped = process.told(&format!("numbers 2000..{LINES}"));
    assert!(dropped > 0, "the queue has no bound");
    let (log, mut kept, mut bytes) = (lines(reader), 0_u64, 0_usize);
    loop {
        let line = next(&log);
        let event: Value = serde_json::from_str(&line).unwrap();
        if event["message"] == "log lines were dropped" {
            assert_eq!(event["lines"], dropped, "the report follows the lines before the gap");
            break;
        }
        assert_eq!(event["number"], kept);
        (kept, bytes) = (kept + 1, bytes + line.len() + 1);
    }
    assert_eq!(kept + dropped, LINES);
    // The thread has some that it had taken before.
    assert!((CAPACITY..CAPACITY + (1 << 20)).contains(&bytes), "{bytes} bytes were kept");
    assert_eq!(process.told("numbers 0..1"), dropped);
    assert_eq!(next_event(&log), Logged::Number(0));
}

#[test]
fn lines_of_a_failing_output_are_counted_and_reported_later() {
    let (pipe, writer, reader) = NamedPipe::open();
    // Before a process is started, which would have a copy of it for a moment.
    drop(reader);
    let mut process = Process::start(writer);
    for lost in 1..=3 {
        process.drops(&format!("numbers {lost}..{}", lost + 1), lost);
    }
    let log = lines(pipe.reader());
    assert_eq!(process.told("numbers 7..8"), 3);
    assert_eq!([next_event(&log), next_event(&log)], [Logged::Number(7), Logged::Dropped(3)]);
}

#[test]
fn a_torn_line_is_ended_before_the_next_one() {
    const LETTERS: usize = 100_000;
    let (pipe, writer, mut reader) = NamedPipe::open();
    let mut process = Process::start(writer);
    // Longer than the pipe is.
    assert_eq!(process.told(&format!("x {LETTERS}")), 0);
    reader.read_exact(&mut [0]).unwrap();
    drop(reader);
    process.drops("numbers 0..0", 1);
    let log = lines(pipe.reader());
    assert_eq!(process.told("next 1"), 1);
    let torn = next(&log);
    assert!((1..LETTERS).contains(&torn.len()) && torn.bytes().all(|byte| byte == b'x'), "{} bytes", torn.len());
    assert_eq!(next(&log), "next");
    assert_eq!(next_event(&log), Logged::Dropped(1));
}

/// Another process that shares the output can have made it non-blocking.
#[test]
fn an_output_that_takes_no_bytes_for_a_while_loses_none() {
    const LETTERS: usize = 2_000_000;
    let (reader, writer) = UnixStream::pair().unwrap();
    writer.set_nonblocking(true).unwrap();
    let mut process = Process::start(OwnedFd::from(writer));
    // Longer than the buffers are.
    assert_eq!(process.told(&format!("x {LETTERS}")), 0);
    let log = lines(reader);
    assert_eq!(next(&log).len(), LETTERS);
    assert_eq!(process.told("next 1"), 0);
    assert_eq!(next(&log), "next");
}
