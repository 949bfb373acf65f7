//! A bounded queue of log lines before a thread that writes them. Adding a line never waits or fails: without room it
//! is dropped and counted. The bound is in bytes, because lines can be long; `tracing-appender` counts lines, and
//! misses those that a failing write loses.

use std::io::{self, Write};
use std::mem;
use std::thread;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use prometheus_client::metrics::counter::Counter;

/// Of queued lines. The thread writes as many at a time, so a blocked output holds twice as many.
const CAPACITY: usize = 4 << 20;
/// Kept by both buffers after a burst.
const REUSED_BUFFER_BYTES: usize = 64 << 10;
/// The wait when a non-blocking output is full.
const RETRY_AFTER: Duration = Duration::from_millis(10);

/// One thread runs [`Queue::write_to`]; all others add lines.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Wakes the writing thread.
    filled: Condvar,
    /// Wakes [`Queue::flush`].
    written: Condvar,
    /// Unwritten lines: the queue was full or the output failed.
    pub(super) dropped: Counter,
}

#[derive(Default)]
struct State {
    lines: Vec<u8>,
    /// Whether the thread waits for lines.
    is_waiting: bool,
    /// Whether it has taken lines, or a report is due, since it last waited.
    is_writing: bool,
}

impl Queue {
    /// Adds a line with its line feed, or drops it if the queue is full.
    pub(super) fn add(&self, line: &[u8]) {
        let mut state = self.state.lock();
        if state.lines.len() + line.len() > CAPACITY {
            self.dropped.inc();
            return;
        }
        state.lines.extend_from_slice(line);
        // Waking a thread is a system call.
        if state.is_waiting {
            self.filled.notify_one();
        }
    }

    /// Waits at most `within` until every line is written or dropped.
    pub(super) fn flush(&self, within: Duration) {
        let pending = |state: &mut State| state.is_writing || !state.lines.is_empty();
        self.written.wait_while_for(&mut self.state.lock(), pending, within);
    }

    /// Writes lines for ever. Unwritable ones are dropped; `report` gets their number once lines can be written again,
    /// and may add a line.
    pub(super) fn write_to(&self, out: &mut dyn Write, report: &dyn Fn(u64)) -> ! {
        let (mut batch, mut works, mut reported, mut is_torn) = (Vec::new(), true, 0, false);
        loop {
            self.take(&mut batch, || works && self.dropped.get() > reported);
            let missing = self.dropped.get() - reported;
            if works && missing > 0 {
                reported += missing;
                report(missing);
            }
            // The output may have a part of the last line.
            is_torn = is_torn && !write(out, b"\n").is_empty();
            let rest = write(out, &batch);
            works = rest.is_empty();
            if let Some(last) = batch.get(..batch.len() - rest.len()).and_then(<[u8]>::last) {
                is_torn = *last != b'\n';
            }
            let lost = rest.iter().filter(|byte| **byte == b'\n').count();
            self.dropped.inc_by(lost as u64);
        }
    }

    /// Replaces `batch` by the queued lines. Waits for a line, or until `is_due`, which only this thread changes.
    fn take(&self, batch: &mut Vec<u8>, is_due: impl Fn() -> bool) {
        batch.clear();
        batch.shrink_to(REUSED_BUFFER_BYTES);
        let mut state = self.state.lock();
        while state.lines.is_empty() && !is_due() {
            state.is_writing = false;
            self.written.notify_all();
            state.is_waiting = true;
            self.filled.wait(&mut state);
            state.is_waiting = false;
        }
        mem::swap(batch, &mut state.lines);
        state.is_writing = true;
    }
}

/// Returns the bytes that could not be written.
fn write<'a>(out: &mut dyn Write, mut bytes: &'a [u8]) -> &'a [u8] {
    while !bytes.is_empty() {
        match out.write(bytes) {
            Ok(0) => break,
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // Another process that shares the output can have made it non-blocking.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::park_timeout(RETRY_AFTER),
            Err(_) => break,
        }
    }
    bytes
}
