//! A bounded queue of log lines before a thread that writes them. Adding a line never waits for the output and never
//! fails: a line without room in the queue is dropped and counted.
//!
//! The bound is in bytes, because a line can be long. `tracing-appender` counts lines, and does not count those that a
//! failing write loses.

use std::io::{self, Write};
use std::mem;
use std::thread;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use prometheus_client::metrics::counter::Counter;

/// Bytes of queued lines. The thread writes at most as many at a time, so a blocked output holds twice as many.
const CAPACITY: usize = 4 << 20;
/// Bytes that both buffers keep after a burst.
const REUSED_BUFFER_BYTES: usize = 64 << 10;
/// How long the thread waits when an output in non-blocking mode is full.
const RETRY_AFTER: Duration = Duration::from_millis(10);

/// The queue. One thread runs [`Queue::write_to`]; every other thread adds lines.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Wakes the writing thread.
    filled: Condvar,
    /// Wakes [`Queue::flush`].
    written: Condvar,
    /// Lines that were not written, because the queue was full or the output failed.
    pub(super) dropped: Counter,
}

#[derive(Default)]
struct State {
    /// Whole lines.
    lines: Vec<u8>,
    /// Whether the writing thread waits for lines.
    is_waiting: bool,
    /// Whether the writing thread has taken lines, or a report is due, since it last waited.
    is_writing: bool,
}

impl Queue {
    /// Adds a line, which ends with a line feed, or drops it if the queue is full.
    pub(super) fn add(&self, line: &[u8]) {
        let mut state = self.state.lock();
        if state.lines.len() + line.len() > CAPACITY {
            self.dropped.inc();
            return;
        }
        state.lines.extend_from_slice(line);
        // Waking a thread is a system call: only done if it is needed.
        if state.is_waiting {
            self.filled.notify_one();
        }
    }

    /// Waits until every line has been written or dropped, but not longer than `within`.
    pub(super) fn flush(&self, within: Duration) {
        let pending = |state: &mut State| state.is_writing || !state.lines.is_empty();
        self.written.wait_while_for(&mut self.state.lock(), pending, within);
    }

    /// Writes lines to `out` for ever. Lines that cannot be written are dropped. `report` gets their number once lines
    /// can be written again; it may add a line.
    pub(super) fn write_to(&self, out: &mut dyn Write, report: &dyn Fn(u64)) -> ! {
        let (mut batch, mut works, mut reported, mut is_torn) = (Vec::new(), true, 0, false);
        loop {
            self.take(&mut batch, || works && self.dropped.get() > reported);
            let missing = self.dropped.get() - reported;
            if works && missing > 0 {
                reported += missing;
                report(missing);
            }
            // The output may have only a part of the last line.
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

    /// Replaces `batch` by the queued lines. Waits for a line, or until `is_due`, which only this thread can make true.
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

/// Writes the bytes and returns those that could not be written.
fn write<'a>(out: &mut dyn Write, mut bytes: &'a [u8]) -> &'a [u8] {
    while !bytes.is_empty() {
        match out.write(bytes) {
            Ok(0) => break,
            Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // Another process that shares the output can have set it to non-blocking mode.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::park_timeout(RETRY_AFTER),
            Err(_) => break,
        }
    }
    bytes
}

#[cfg(test)]
mod tests;
