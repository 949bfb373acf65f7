//! The queue with outputs that block, fail and recover. Each test leaves its writing thread behind, which waits.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::{CAPACITY, Queue};

const DEADLINE: Duration = Duration::from_secs(10);
const LINE: &[u8] = b"a line of the log\n";

/// An output whose every write waits for its result: how many bytes it takes, or an error.
struct Output {
    results: Receiver<io::Result<usize>>,
    started: Sender<()>,
    written: Arc<Mutex<Vec<u8>>>,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.started.send(()).unwrap();
        let taken = self.results.recv().unwrap_or(Ok(usize::MAX))?.min(bytes.len());
        self.written.lock().unwrap().extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Scene {
    queue: Arc<Queue>,
    results: Option<Sender<io::Result<usize>>>,
    started: Receiver<()>,
    written: Arc<Mutex<Vec<u8>>>,
}

impl Scene {
    fn start() -> Self {
        let queue = Arc::new(Queue::default());
        let ((results, coming), (starting, started)) = (channel(), channel());
        let written = Arc::<Mutex<Vec<u8>>>::default();
        let mut output = Output { results: coming, started: starting, written: Arc::clone(&written) };
        let (writer, reporter) = (Arc::clone(&queue), Arc::clone(&queue));
        thread::spawn(move || {
            writer.write_to(&mut output, &|lines| reporter.add(format!("{lines} dropped\n").as_bytes()))
        });
        Self { queue, results: Some(results), started, written }
    }

    /// Waits for the next write and gives it this result.
    fn next(&self, result: io::Result<usize>) {
        self.started.recv_timeout(DEADLINE).unwrap();
        self.results.as_ref().unwrap().send(result).unwrap();
    }

    /// From now on every write succeeds. Returns everything written once all lines are.
    fn recovered(mut self) -> (Arc<Queue>, String) {
        self.results = None;
        self.queue.flush(DEADLINE);
        (self.queue, String::from_utf8(self.written.lock().unwrap().clone()).unwrap())
    }
}

#[test]
fn lines_are_written_in_order() {
    let scene = Scene::start();
    let lines: Vec<String> = (0..1_000).map(|number| format!("line {number}\n")).collect();
    lines.iter().for_each(|line| scene.queue.add(line.as_bytes()));
    let (queue, written) = scene.recovered();
    assert_eq!(written, lines.concat());
    assert_eq!(queue.dropped.get(), 0);
}

#[test]
fn a_blocked_output_drops_and_counts_lines_beyond_the_capacity() {
    let scene = Scene::start();
    scene.queue.add(b"first\n");
    scene.started.recv_timeout(DEADLINE).unwrap();
    // The first line is being written, so the queue is empty.
    let fitting = CAPACITY / LINE.len();
    for _ in 0..fitting + 500 {
        scene.queue.add(LINE);
    }
    assert_eq!(scene.queue.dropped.get(), 500);
    scene.queue.flush(Duration::from_millis(10));
    assert!(scene.written.lock().unwrap().is_empty(), "a flush of a blocked output ends by itself");
    let (queue, written) = scene.recovered();
    let mut expected = b"first\n".to_vec();
    expected.extend(LINE.repeat(fitting));
    assert!(written.as_bytes().starts_with(&expected));
    assert_eq!(&written[expected.len()..], "500 dropped\n", "the report follows the lines before the gap");
    assert_eq!(queue.dropped.get(), 500);
}

#[test]
fn lines_of_a_failing_output_are_counted_and_reported_later() {
    let scene = Scene::start();
    for round in 0..3 {
        scene.queue.add(format!("lost {round}\n").as_bytes());
        scene.next(Err(io::ErrorKind::StorageFull.into()));
    }
    scene.queue.flush(DEADLINE);
    assert_eq!(scene.queue.dropped.get(), 3);
    scene.queue.add(b"kept\n");
    let (_, written) = scene.recovered();
    assert_eq!(written, "kept\n3 dropped\n");
}

#[test]
fn a_torn_line_is_ended_before_the_next_one() {
    let scene = Scene::start();
    scene.queue.add(b"whole\n");
    scene.next(Ok(usize::MAX));
    scene.queue.flush(DEADLINE);
    scene.queue.add(b"torn\n");
    scene.next(Ok(2));
    scene.next(Err(io::ErrorKind::BrokenPipe.into()));
    scene.queue.flush(DEADLINE);
    scene.queue.add(b"next\n");
    // The output takes a while to accept bytes, as in non-blocking mode.
    scene.next(Err(io::ErrorKind::WouldBlock.into()));
    let (_, written) = scene.recovered();
    assert_eq!(written, "whole\nto\nnext\n1 dropped\n");
}
