//! The lines that a program writes.

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use tokio::time::Instant;

/// Time limit of every wait for a line. It is generous, because only a failing test waits this long.
const DEADLINE: Duration = Duration::from_secs(30);

/// The lines of an output stream of the program, received as they are written.
pub(crate) struct Lines {
    coming: Receiver<String>,
    pub(crate) seen: Vec<String>,
}

impl Lines {
    pub(crate) fn new(stream: impl Read + Send + 'static) -> Self {
        let (sender, coming) = channel();
        thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            let mut line = Vec::new();
            while stream.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let text = String::from_utf8(std::mem::take(&mut line)).unwrap();
                let _ = sender.send(text.trim_end().to_owned());
            }
        });
        Self { coming, seen: Vec::new() }
    }

    pub(crate) fn wait_for(&mut self, part: &str) -> String {
        loop {
            match self.coming.recv_timeout(DEADLINE) {
                Ok(line) => self.seen.push(line),
                Err(error) => panic!("{error} while waiting for {part}: {:#?}", self.seen),
            }
            if let Some(line) = self.seen.last().filter(|line| line.contains(part)) {
                return line.clone();
            }
        }
    }

    /// Waits for the end of the stream, at most for this time.
    pub(crate) fn wait_for_end(&mut self, time: Duration) {
        let began = Instant::now();
        while self.coming.recv_timeout(time.saturating_sub(began.elapsed())).is_ok() {}
    }

    pub(crate) fn rest(&mut self) -> Vec<String> {
        loop {
            match self.coming.recv_timeout(DEADLINE) {
                Ok(line) => self.seen.push(line),
                Err(RecvTimeoutError::Disconnected) => return std::mem::take(&mut self.seen),
                Err(RecvTimeoutError::Timeout) => panic!("the process does not end: {:#?}", self.seen),
            }
        }
    }
}
