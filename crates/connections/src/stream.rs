//! A socket with deadlines: the client makes progress, or the connection is closed. They are checked when the HTTP/1
//! service writes or flushes, at each poll. The one timer is only moved to an earlier time, so a request that is
//! answered at once does not touch it.

use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::connection_state::{ConnectionState, Phase, end_of};
use crate::observer::CloseReason;
use crate::socket::Socket;
use crate::table::ConnectionHandle;

const REQUEST_TIMEOUT: &[u8] = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
const HEAD_TOO_LARGE: &[u8] =
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

pub(crate) struct DeadlineStream<S> {
    socket: S,
    state: Rc<ConnectionState>,
    /// What the connection waits for, in which request.
    phase: (Phase, u64),
    /// Since when.
    since: Instant,
    timer: Option<Pin<Box<Sleep>>>,
    /// Whether reading is paused until a request claims the bytes.
    paused: bool,
    /// No request claimed them. The next read fails; after a malformed head there is none.
    head_too_large: bool,
    /// Bytes read since the last check.
    read: usize,
    /// Bytes that the socket has taken.
    written: u64,
    blocked: Option<BlockedWrite>,
}

/// The client reads slower than the server writes.
#[derive(Clone, Copy)]
struct BlockedWrite {
    /// When the latest third of the grace began.
    since: Instant,
    /// Bytes acknowledged by the client three, two and one thirds of the grace ago.
    acknowledged: [Option<u64>; 3],
}

impl<S: Socket> DeadlineStream<S> {
    pub(crate) fn new(socket: S, connection: ConnectionHandle) -> Self {
        let state = Rc::new(ConnectionState::new(connection));
        // No request has this number, so the first poll begins a phase.
        let (phase, since) = ((Phase::Idle, u64::MAX), Instant::now());
        Self {
            socket,
            state,
            phase,
            since,
            timer: None,
            paused: false,
            head_too_large: false,
            read: 0,
            written: 0,
            blocked: None,
        }
    }

    pub(crate) fn state(&self) -> Rc<ConnectionState> {
        Rc::clone(&self.state)
    }

    /// Checks the client's side, when nothing is left to write.
    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        let phase = self.state.phase();
        if phase != self.phase {
            self.begin_phase(phase, context);
        }
        self.read = 0;
        if self.paused && !(phase.0 == Phase::Response && self.is_full()) {
            self.paused = false;
            self.head_too_large = phase.0 == Phase::Head && self.is_full();
            context.waker().wake_by_ref();
        }
        let connection = &self.state.connection;
        let (time, reason) = match phase.0 {
            Phase::Response => return Ok(()),
            _ if connection.is_displaced() => return Err(io::ErrorKind::ConnectionAborted.into()),
            Phase::Head => (self.state.connection.limits().head_timeout, CloseReason::HeadTimeout),
            Phase::Body => (self.state.connection.limits().body_timeout, CloseReason::BodyTimeout),
            Phase::Idle => (self.state.connection.limits().keep_alive, CloseReason::KeepAlive),
        };
        if !self.is_past(self.since + time, context) {
            return Ok(());
        }
        self.state.connection.report(reason);
        if phase.0 == Phase::Head {
            self.write_response(REQUEST_TIMEOUT, context);
        }
        Err(io::ErrorKind::TimedOut.into())
    }

    fn begin_phase(&mut self, phase: (Phase, u64), context: &Context<'_>) {
        self.phase = phase;
        if phase.0 == Phase::Response {
            return;
        }
        self.since = Instant::now();
        let connection = &self.state.connection;
        connection.waits(self.since);
        connection.wake(context.waker());
    }

    /// Whether the unclaimed bytes are as many as a head may have.
    fn is_full(&self) -> bool {
        self.state.unclaimed() >= self.state.connection.limits().max_head_bytes
    }

    /// Sends a response without the service, if the socket takes it. No other response is in progress.
    fn write_response(&mut self, response: &[u8], context: &mut Context<'_>) {
        let _ = Pin::new(&mut self.socket).poll_write(context, response);
    }

    /// Three thirds of the grace in a row must together move bytes at the minimum rate. One third is too short: a
    /// client with large buffers acknowledges nothing until much of them is free.
    fn check_blocked(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        let third = self.state.connection.limits().response_grace / 3;
        loop {
            let acknowledged = self.written.saturating_sub(self.socket.queued());
            let Some(blocked) = self.blocked else {
                let since = Instant::now();
                self.blocked = Some(BlockedWrite { since, acknowledged: [None, None, Some(acknowledged)] });
                continue;
            };
            if !self.is_past(blocked.since + third, context) {
                return Ok(());
            }
            let least = u128::from(self.state.connection.limits().response_min_rate) * (3 * third).as_millis();
            let moved = |since| u128::from(acknowledged.saturating_sub(since));
            let [first, second, third_ago] = blocked.acknowledged;
            if first.is_some_and(|before| moved(before) * 1_000 < least) {
                self.state.connection.report(CloseReason::SlowReader);
                self.socket.discard_on_close();
                return Err(io::ErrorKind::TimedOut.into());
            }
            self.blocked = Some(BlockedWrite {
                since: blocked.since + third,
                acknowledged: [second, third_ago, Some(acknowledged)],
            });
        }
    }

    /// If not, wakes the task when it is.
    fn is_past(&mut self, deadline: Instant, context: &mut Context<'_>) -> bool {
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if deadline < timer.deadline() {
            timer.as_mut().reset(deadline);
        }
        while timer.as_mut().poll(context).is_ready() {
            if timer.deadline() >= deadline {
                return true;
            }
            timer.as_mut().reset(deadline);
        }
        false
    }
}

impl<S: Socket> AsyncRead for DeadlineStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if self.head_too_large {
            self.state.connection.report(CloseReason::LargeHead);
            self.write_response(HEAD_TOO_LARGE, context);
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        let end = end_of(buffer.filled());
        self.state.end_is_at(end);
        let is_full = match self.state.phase().0 {
            // A head may follow the body.
            Phase::Body => self.read >= self.state.connection.limits().max_head_bytes,
            Phase::Head | Phase::Response | Phase::Idle => self.is_full(),
        };
        if is_full {
            // Polled again when a request has claimed these bytes, or had time to.
            self.paused = true;
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.socket).poll_read(context, buffer))?;
        let read = buffer.filled().get(before..).unwrap_or_default();
        self.state.read(read);
        self.read += read.len();
        Poll::Ready(Ok(()))
    }
}

impl<S: Socket> AsyncWrite for DeadlineStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match Pin::new(&mut self.socket).poll_write(context, bytes) {
            Poll::Ready(Ok(written)) => {
                self.written += written as u64;
                Poll::Ready(Ok(written))
            }
            Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
            Poll::Pending => match self.check_blocked(context) {
                Ok(()) => Poll::Pending,
                Err(error) => Poll::Ready(Err(error)),
            },
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.socket).poll_flush(context))?;
        self.blocked = None;
        Poll::Ready(self.check(context))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
