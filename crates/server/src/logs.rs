//! Structured logs on standard error: ids, codes and times, but never names, tokens, bodies or whole RUCs of persons. A
//! command writes its lines itself; the server's pass through a queue, so that a slow, full or closed output neither
//! delays nor fails a call.

mod queue;

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::thread;
use std::time::Duration;

pub use kuraka_ports::chain;
use prometheus_client::metrics::counter::Counter;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::reload::Handle;
use tracing_subscriber::util::SubscriberInitExt;

use crate::panics;
use crate::settings::{Log, LogFormat};
use queue::Queue;

/// How long a process's end waits for the last lines.
const FLUSH_WITHIN: Duration = Duration::from_secs(1);

/// One queue, because a process has one standard error.
static QUEUE: LazyLock<Queue> = LazyLock::new(Queue::default);
/// Whether a thread writes the queue.
static QUEUED: AtomicBool = AtomicBool::new(false);

/// Replaces the filter of the started log.
static FILTER: OnceLock<Box<dyn Fn(EnvFilter) + Send + Sync>> = OnceLock::new();

/// Starts a command's log. A second call does nothing.
pub fn start(log: &Log) {
    start_with(log, io::stderr);
}

/// Starts the server's log, whose lines a thread writes, and logs panics. Call [`flush`] before the end.
///
/// # Errors
/// If the thread cannot be started.
pub fn start_queued(log: &Log) -> io::Result<()> {
    // A duplicate: a blocked write must not hold the lock of `io::stderr`.
    let mut output = File::from(io::stderr().as_fd().try_clone_to_owned()?);
    let report = |lines| tracing::warn!(lines, "log lines were dropped");
    thread::Builder::new().name("log".to_owned()).spawn(move || QUEUE.write_to(&mut output, &report))?;
    QUEUED.store(true, Ordering::Release);
    start_with(log, || Enqueue);
    panic::set_hook(Box::new(|panic| {
        panics::log(panic);
        // The main thread's panic ends the process.
        if thread::current().name() == Some("main") {
            flush();
        }
    }));
    Ok(())
}

fn start_with(log: &Log, output: impl for<'a> MakeWriter<'a> + Send + Sync + 'static) {
    // Not reported on standard error, which would panic if it is closed.
    let lines =
        tracing_subscriber::fmt().with_env_filter(filter(&log.level)).with_writer(output).log_internal_errors(false);
    let is_terminal = io::stderr().is_terminal();
    let lines = lines.with_ansi(is_terminal);
    let started = if log.format == LogFormat::Json || log.format == LogFormat::Auto && !is_terminal {
        let lines =
            lines.json().flatten_event(true).with_current_span(false).with_span_list(false).with_filter_reloading();
        let handle = lines.reload_handle();
        lines.finish().try_init().map(|()| keep(handle))
    } else {
        let lines = lines.compact().with_filter_reloading();
        let handle = lines.reload_handle();
        lines.finish().try_init().map(|()| keep(handle))
    };
    if started.is_err() {
        tracing::debug!("logging was already started");
    }
}

/// Applies another `log.level`.
pub fn set_level(level: &str) {
    if let Some(replace) = FILTER.get() {
        replace(filter(level));
    }
}

fn keep<S: 'static>(handle: Handle<EnvFilter, S>) {
    let replace = move |filter| drop(handle.reload(filter));
    let _ = FILTER.set(Box::new(replace));
}

fn filter(level: &str) -> EnvFilter {
    // actix logs bytes that are not HTTP as server errors: any client could fill the log.
    EnvFilter::new(format!("actix_http::h1::dispatcher=off,audit=info,{level}"))
}

/// Waits at most a second for the queued lines.
pub fn flush() {
    if QUEUED.load(Ordering::Acquire) {
        QUEUE.flush(FLUSH_WITHIN);
    }
}

/// Prints a line of text on standard error, through the queue if there is one.
pub fn print(text: &str) {
    if QUEUED.load(Ordering::Acquire) {
        QUEUE.add(format!("{text}\n").as_bytes());
        flush();
    } else {
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

pub(crate) fn dropped_lines() -> Counter {
    QUEUE.dropped.clone()
}

struct Enqueue;

impl Write for Enqueue {
    /// The caller writes whole lines.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        QUEUE.add(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
