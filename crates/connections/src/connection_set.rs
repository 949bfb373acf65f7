//! Connections that share a bound, and which connection is closed when the bound is reached.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures_util::task::AtomicWaker;

/// A connection. Its worker writes the state, and any worker may displace it.
pub(crate) struct Connection {
    pub(crate) id: u64,
    /// `None` if connections of this address are not counted.
    pub(crate) address: Option<IpAddr>,
    /// See [`Waiting`].
    waiting: AtomicU64,
    /// Whether the connection was displaced or has ended.
    gone: AtomicBool,
    /// Wakes the connection's task.
    pub(crate) waker: AtomicWaker,
}

/// Since when a connection has waited for a whole request, in microseconds, and whether it ever sent one. Unused ones
/// sort first, then by wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting(u64);

impl Waiting {
    /// A whole request was received and its response is not complete.
    const BUSY: Self = Self(u64::MAX);
    const SERVED: u64 = 1 << 63;

    const fn is_unused(self) -> bool {
        self.0 & Self::SERVED == 0
    }
}

/// Connections that share a bound.
#[derive(Default)]
pub(crate) struct ConnectionSet {
    members: BTreeMap<u64, Arc<Connection>>,
    /// By opening, until they are known to have sent a whole request.
    unused: VecDeque<Arc<Connection>>,
    /// The longest idle ones first, as of the last scan.
    idle: VecDeque<(Waiting, Arc<Connection>)>,
    /// In microseconds.
    next_scan: u64,
}

/// In microseconds: a scan visits all connections, and every worker waits for it.
const SCAN_EVERY: u64 = 20_000;

impl Connection {
    pub(crate) fn new(id: u64, address: Option<IpAddr>, opened: u64) -> Self {
        let (waiting, gone) = (AtomicU64::new(opened), AtomicBool::new(false));
        Self { id, address, waiting, gone, waker: AtomicWaker::new() }
    }

    pub(crate) fn is_busy(&self) {
        self.waiting.store(Waiting::BUSY.0, Ordering::Relaxed);
    }

    pub(crate) fn waits(&self, since: u64) {
        self.waiting.store(Waiting::SERVED | since, Ordering::Relaxed);
    }

    /// Whether a request is in progress.
    pub(crate) fn was_busy(&self) -> bool {
        self.waiting() == Waiting::BUSY
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }

    /// Marks the connection as displaced or ended. `false` if it was already.
    pub(crate) fn leave(&self) -> bool {
        !self.gone.swap(true, Ordering::AcqRel)
    }

    fn waiting(&self) -> Waiting {
        Waiting(self.waiting.load(Ordering::Relaxed))
    }
}

impl ConnectionSet {
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn add(&mut self, connection: &Arc<Connection>) {
        self.members.insert(connection.id, Arc::clone(connection));
        self.unused.push_back(Arc::clone(connection));
        if self.unused.len() > 2 * self.members.len() + 64 {
            self.unused.retain(|connection| !connection.is_gone() && connection.waiting().is_unused());
        }
    }

    pub(crate) fn remove(&mut self, connection: &Connection) {
        self.members.remove(&connection.id);
        if self.members.is_empty() {
            self.unused.clear();
            self.idle.clear();
        }
    }

    /// The longest unused connection, else the longest idle one, and which of the two; `None` = all are busy.
    pub(crate) fn displaceable(&mut self, now: u64) -> Option<(Arc<Connection>, bool)> {
        while let Some(connection) = self.unused.pop_front() {
            if !connection.is_gone() && connection.waiting().is_unused() {
                return Some((connection, true));
            }
        }
        if let Some(connection) = self.next_idle() {
            return Some((connection, false));
        }
        if now < self.next_scan {
            return None;
        }
        let idle = self.members.values().map(|connection| (connection.waiting(), connection));
        let mut idle: Vec<_> = idle.filter(|(waiting, _)| *waiting != Waiting::BUSY).collect();
        idle.sort_unstable_by_key(|(waiting, connection)| (*waiting, connection.id));
        self.idle = idle.into_iter().map(|(waiting, connection)| (waiting, Arc::clone(connection))).collect();
        self.next_scan = now + SCAN_EVERY;
        self.next_idle().map(|connection| (connection, false))
    }

    /// The next connection of the last scan that is still idle.
    fn next_idle(&mut self) -> Option<Arc<Connection>> {
        while let Some((since, connection)) = self.idle.pop_front() {
            if !connection.is_gone() && connection.waiting() == since {
                return Some(connection);
            }
        }
        None
    }
}
