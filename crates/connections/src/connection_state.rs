//! What a connection's stream and HTTP service share, on one worker thread.

use std::cell::Cell;
use std::rc::Rc;

use crate::table::ConnectionHandle;

/// What a connection waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Head,
    /// The rest of a request's body.
    Body,
    /// The server's response.
    Response,
    /// The next request.
    Idle,
}

pub(crate) struct ConnectionState {
    pub(crate) connection: ConnectionHandle,
    /// Requests that have begun.
    begun: Cell<u64>,
    /// Whether a request's response is not complete.
    responding: Cell<bool>,
    /// The body of the latest request.
    body: Cell<Body>,
    /// Bytes read after the latest begun request; 1 = an unknown number.
    unclaimed: Cell<usize>,
    /// Bytes that were read in all.
    read: Cell<u64>,
    /// The address after the last byte read: where it was read to, and where it is now. The HTTP service moves
    /// unclaimed bytes when its buffer is nearly full, at most once between reads.
    ends: Cell<[usize; 2]>,
    /// The last three bytes that were read.
    tail: Cell<[u8; 3]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    /// The application has not read it to its end.
    Unread,
    /// The application will not read it.
    Ignored,
    /// There is none, or it was read to its end.
    Ended,
}

/// A request in progress. Dropped when its response is complete.
pub(crate) struct PendingResponse(pub(crate) Rc<ConnectionState>);

impl ConnectionState {
    pub(crate) fn new(connection: ConnectionHandle) -> Self {
        Self {
            connection,
            begun: Cell::new(0),
            responding: Cell::new(false),
            body: Cell::new(Body::Ended),
            unclaimed: Cell::new(0),
            read: Cell::new(0),
            ends: Cell::default(),
            tail: Cell::default(),
        }
    }

    pub(crate) fn read(&self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.unclaimed.set(self.unclaimed.get() + bytes.len());
        self.read.set(self.read.get() + bytes.len() as u64);
        self.ends.set([end_of(bytes); 2]);
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

    pub(crate) fn begin(self: &Rc<Self>, has_body: bool) -> PendingResponse {
        self.begun.set(self.begun.get() + 1);
        self.responding.set(true);
        if has_body {
            self.body.set(Body::Unread);
            self.unclaimed.set(0);
        } else {
            self.body.set(Body::Ended);
            self.whole_request_read(self.is_at_blank_line());
        }
        PendingResponse(Rc::clone(self))
    }

    /// `ends_at`: see [`Self::last_byte`].
    pub(crate) fn body_ended(&self, ends_at: Option<u64>) {
        self.body.set(Body::Ended);
        // A chunked body ends with a blank line, like a head.
        self.whole_request_read(ends_at == Some(self.read.get()) || self.is_at_blank_line());
    }

    /// Records that the application will not read the rest of a request's body.
    pub(crate) fn body_ignored(&self, request: u64) {
        if (request, self.body.get()) == (self.begun.get(), Body::Unread) {
            self.body.set(Body::Ignored);
            self.connection.is_busy();
        }
    }

    /// The number of bytes read so far, if this part of a body ends with the last one. The caller holds the part, so
    /// later bytes and their end are at another address.
    pub(crate) fn last_byte(&self, part: &[u8]) -> Option<u64> {
        self.ends.get().contains(&end_of(part)).then_some(self.read.get())
    }

    /// The read buffer begins at `end`.
    pub(crate) fn end_is_at(&self, end: usize) {
        let [read_to, _] = self.ends.get();
        self.ends.set([read_to, end]);
    }

    pub(crate) fn begun(&self) -> u64 {
        self.begun.get()
    }

    /// What the connection waits for, and the number of the request.
    pub(crate) fn phase(&self) -> (Phase, u64) {
        let phase = match (self.body.get(), self.responding.get(), self.unclaimed.get(), self.begun.get()) {
            (Body::Unread, ..) | (Body::Ignored, false, ..) => Phase::Body,
            (_, true, ..) => Phase::Response,
            (Body::Ended, false, 1.., _) | (Body::Ended, false, 0, 0) => Phase::Head,
            (Body::Ended, false, 0, 1..) => Phase::Idle,
        };
        (phase, self.begun.get())
    }

    pub(crate) fn unclaimed(&self) -> usize {
        self.unclaimed.get()
    }

    fn whole_request_read(&self, all_claimed: bool) {
        self.unclaimed.set(usize::from(!all_claimed));
        self.connection.is_busy();
    }

    /// Whether the last bytes end a head.
    fn is_at_blank_line(&self) -> bool {
        matches!(self.tail.get(), [b'\n', b'\r', b'\n'] | [_, b'\n', b'\n'])
    }
}

impl Drop for PendingResponse {
    fn drop(&mut self) {
        self.0.responding.set(false);
    }
}

pub(crate) fn end_of(bytes: &[u8]) -> usize {
    bytes.as_ptr_range().end.addr()
}
