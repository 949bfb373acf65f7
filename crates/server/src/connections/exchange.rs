//! What the stream of a connection and the service of its requests tell each other. Both are on one worker thread.

use std::cell::Cell;
use std::rc::Rc;

use super::table::Seat;

/// What a connection waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// The rest of a request's head, or the first byte of the first one.
    Head,
    /// The rest of a request's body.
    Body,
    /// The server's answer.
    Answer,
    /// The next request.
    Next,
}

/// The state of one connection's requests.
pub(super) struct Exchange {
    /// The connection's place among all connections.
    pub(super) seat: Seat,
    /// Requests that have begun.
    begun: Cell<u64>,
    /// Whether a request has begun and its answer is not complete.
    answering: Cell<bool>,
    /// Whether the body of the latest request has not been read to its end.
    body: Cell<bool>,
    /// Bytes that were read and belong to no request that has begun; 1 if there are some and their number is not known.
    unclaimed: Cell<usize>,
    /// The address in memory behind the last byte that was read.
    end: Cell<usize>,
    /// The last three bytes that were read.
    tail: Cell<[u8; 3]>,
}

/// A request without a complete answer. Dropped when the answer is complete.
pub(super) struct Answering(pub(super) Rc<Exchange>);

impl Exchange {
    pub(super) fn new(seat: Seat) -> Self {
        Self {
            seat,
            begun: Cell::new(0),
            answering: Cell::new(false),
            body: Cell::new(false),
            unclaimed: Cell::new(0),
            end: Cell::new(0),
            tail: Cell::default(),
        }
    }

    /// Records bytes that were read from the client.
    pub(super) fn read(&self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.unclaimed.set(self.unclaimed.get() + bytes.len());
        self.end.set(end_of(bytes));
        let tail = match bytes {
            [.., a, b, c] => [*a, *b, *c],
            short => {
                let mut tail = self.tail.get();
                for byte in short {
                    let [_, b, c] = tail;
                    tail = [b, c, *byte];
                }
                tail
            }
        };
        self.tail.set(tail);
    }

    /// Records that a request has begun: its head was read.
    pub(super) fn begin(self: &Rc<Self>, has_body: bool) -> Answering {
        self.begun.set(self.begun.get() + 1);
        self.answering.set(true);
        self.body.set(has_body);
        if has_body {
            self.unclaimed.set(0);
        } else {
            self.whole_request_read(self.is_at_blank_line());
        }
        Answering(Rc::clone(self))
    }

    /// Records the end of a request's body. `end` is the address behind its last byte.
    pub(super) fn body_ended(&self, end: usize) {
        self.body.set(false);
        // A body with a length is a part of the buffer that was read into, so that the addresses are equal if nothing
        // follows it. A body in chunks ends with a blank line, as a head does.
        self.whole_request_read(end == self.end.get() || self.is_at_blank_line());
    }

    /// What the connection waits for, and the number of the request.
    pub(super) fn phase(&self) -> (Phase, u64) {
        let phase = match (self.body.get(), self.answering.get(), self.unclaimed.get(), self.begun.get()) {
            (true, ..) => Phase::Body,
            (false, true, ..) => Phase::Answer,
            (false, false, 1.., _) | (false, false, 0, 0) => Phase::Head,
            (false, false, 0, 1..) => Phase::Next,
        };
        (phase, self.begun.get())
    }

    /// Bytes that were read and belong to no request that has begun.
    pub(super) fn unclaimed(&self) -> usize {
        self.unclaimed.get()
    }

    fn whole_request_read(&self, all_claimed: bool) {
        self.unclaimed.set(usize::from(!all_claimed));
        self.seat.is_busy();
    }

    /// Whether the last bytes that were read end a head. The beginning of a head does not end with a blank line.
    fn is_at_blank_line(&self) -> bool {
        matches!(self.tail.get(), [b'\n', b'\r', b'\n'] | [_, b'\n', b'\n'])
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.answering.set(false);
    }
}

/// The address in memory behind the last byte.
pub(super) fn end_of(bytes: &[u8]) -> usize {
    bytes.as_ptr_range().end.addr()
}
