//! All connections of a listener: bounds in all and per client address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use ipnet::IpNet;
use tokio::time::Instant;

use super::group::{Connection, Group};
use crate::metrics::{ClosedConnection, ConnectionMetrics};

/// The connections of a listener, on all its worker threads.
pub(crate) struct Table {
    /// Connections in all.
    most: usize,
    /// Connections per client address, and the networks that may have any number; `None` if all may.
    per_address: Option<(usize, Vec<IpNet>)>,
    metrics: ConnectionMetrics,
    started: Instant,
    groups: Mutex<Groups>,
}

#[derive(Default)]
struct Groups {
    all: Group,
    addresses: HashMap<IpAddr, Group>,
    opened: u64,
}

/// An open connection, as its stream holds it. Dropped when the connection has ended.
pub(crate) struct ConnectionHandle {
    table: Arc<Table>,
    connection: Arc<Connection>,
}

impl Table {
    pub(crate) fn new(most: usize, per_address: Option<(usize, Vec<IpNet>)>, metrics: ConnectionMetrics) -> Self {
        Self { most, per_address, metrics, started: Instant::now(), groups: Mutex::default() }
    }

    /// Adds a connection of this client. If a bound is reached, another connection gives way; if none can, the result is
    /// `None`.
    pub(super) fn open(self: &Arc<Self>, client: Option<IpAddr>) -> Option<ConnectionHandle> {
        let address = client.and_then(|client| self.counted(client));
        let now = self.since_start(Instant::now());
        let mut displaced = Vec::new();
        let connection = self.locked(|groups| groups.open(self, address, now, &mut displaced));
        for (other, was_unused) in displaced {
            other.waker.wake();
            self.count(if was_unused { ClosedConnection::DisplacedUnused } else { ClosedConnection::DisplacedIdle });
        }
        let Some(connection) = connection else {
            self.count(ClosedConnection::Refused);
            return None;
        };
        self.metrics.open.inc();
        Some(ConnectionHandle { table: Arc::clone(self), connection })
    }

    /// Counts a connection that was closed for this reason.
    pub(super) fn count(&self, reason: ClosedConnection) {
        self.metrics.count(reason);
    }

    /// The address under which a client's connections are counted: an IPv6 network of 64 bits is one client.
    fn counted(&self, client: IpAddr) -> Option<IpAddr> {
        let client = client.to_canonical();
        let (_, trusted) = self.per_address.as_ref()?;
        if trusted.iter().any(|network| network.contains(&client)) {
            return None;
        }
        Some(match client {
            IpAddr::V4(_) => client,
            IpAddr::V6(host) => IpAddr::V6(Ipv6Addr::from_bits(host.to_bits() >> 64 << 64)),
        })
    }

    fn since_start(&self, time: Instant) -> u64 {
        u64::try_from(time.saturating_duration_since(self.started).as_micros()).unwrap_or(u64::MAX >> 2)
    }

    fn locked<T>(&self, work: impl FnOnce(&mut Groups) -> T) -> T {
        work(&mut self.groups.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Groups {
    fn open(
        &mut self,
        table: &Table,
        address: Option<IpAddr>,
        now: u64,
        displaced: &mut Vec<(Arc<Connection>, bool)>,
    ) -> Option<Arc<Connection>> {
        if let (Some(address), Some((most, _))) = (address, &table.per_address) {
            let group = self.addresses.entry(address).or_default();
            if group.len() >= *most {
                let (other, was_unused) = group.displaceable(now)?;
                self.leave(&other);
                displaced.push((other, was_unused));
            }
        }
        if self.all.len() >= table.most {
            let Some((other, was_unused)) = self.all.displaceable(now) else {
                self.forget_empty(address);
                return None;
            };
            self.leave(&other);
            displaced.push((other, was_unused));
        }
        self.opened += 1;
        let connection = Arc::new(Connection::new(self.opened, address, now));
        self.all.add(&connection);
        if let Some(address) = address {
            self.addresses.entry(address).or_default().add(&connection);
        }
        Some(connection)
    }

    /// Removes a connection that was displaced or has ended, once.
    fn leave(&mut self, connection: &Connection) {
        if !connection.leave() {
            return;
        }
        self.all.remove(connection);
        if let Some(group) = connection.address.and_then(|address| self.addresses.get_mut(&address)) {
            group.remove(connection);
        }
        self.forget_empty(connection.address);
    }

    fn forget_empty(&mut self, address: Option<IpAddr>) {
        if let Some(address) = address.filter(|address| self.addresses.get(address).is_some_and(|of| of.len() == 0)) {
            self.addresses.remove(&address);
        }
    }
}

impl ConnectionHandle {
    /// Records that a whole request was received.
    pub(super) fn is_busy(&self) {
        self.connection.is_busy();
    }

    /// Records that the latest answer is complete, if one was due.
    pub(super) fn waits(&self, since: Instant) {
        if self.connection.was_busy() {
            self.connection.waits(self.table.since_start(since));
        }
    }

    /// Whether the connection gives way to another one.
    pub(super) fn is_displaced(&self) -> bool {
        self.connection.is_gone()
    }

    /// Wakes this task when the connection is displaced.
    pub(super) fn wake(&self, waker: &std::task::Waker) {
        self.connection.waker.register(waker);
    }

    /// Counts that the connection is closed for this reason.
    pub(super) fn count(&self, reason: ClosedConnection) {
        self.table.count(reason);
    }
}

impl Drop for ConnectionHandle {
    fn drop(&mut self) {
        self.table.metrics.open.dec();
        self.table.locked(|groups| groups.leave(&self.connection));
    }
}
