//! A listener's connections, with the bounds in all and per address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::time::Instant;

use crate::connection_set::{Connection, ConnectionSet};
use crate::limits::Limits;
use crate::observer::{CloseReason, Observer};

pub(crate) struct Table {
    limits: Limits,
    observer: Arc<dyn Observer>,
    started: Instant,
    sets: Mutex<Sets>,
}

#[derive(Default)]
struct Sets {
    all: ConnectionSet,
    addresses: HashMap<IpAddr, ConnectionSet>,
    opened: u64,
}

/// An open connection, as its stream holds it. Dropped at its end.
pub(crate) struct ConnectionHandle {
    table: Arc<Table>,
    connection: Arc<Connection>,
}

impl Table {
    pub(crate) fn new(limits: Limits, observer: Arc<dyn Observer>) -> Self {
        Self { limits, observer, started: Instant::now(), sets: Mutex::default() }
    }

    /// Adds a connection. At a bound, another is displaced; `None` = none can be.
    pub(crate) fn open(self: &Arc<Self>, client: Option<IpAddr>) -> Option<ConnectionHandle> {
        let address = client.and_then(|client| self.counted(client));
        let now = self.since_start(Instant::now());
        let mut displaced = Vec::new();
        let connection = self.locked(|sets| sets.open(self, address, now, &mut displaced));
        for (other, was_unused) in displaced {
            other.waker.wake();
            self.observer.closed(if was_unused { CloseReason::DisplacedUnused } else { CloseReason::DisplacedIdle });
        }
        let Some(connection) = connection else {
            self.observer.closed(CloseReason::Refused);
            return None;
        };
        self.observer.opened();
        Some(ConnectionHandle { table: Arc::clone(self), connection })
    }

    /// The address for counting: an IPv6 network of 64 bits is one client.
    fn counted(&self, client: IpAddr) -> Option<IpAddr> {
        let client = client.to_canonical();
        self.limits.max_connections_per_address?;
        if self.limits.trusted_proxies.contains(client) {
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

    fn locked<T>(&self, work: impl FnOnce(&mut Sets) -> T) -> T {
        work(&mut self.sets.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Sets {
    fn open(
        &mut self,
        table: &Table,
        address: Option<IpAddr>,
        now: u64,
        displaced: &mut Vec<(Arc<Connection>, bool)>,
    ) -> Option<Arc<Connection>> {
        if let (Some(address), Some(most)) = (address, table.limits.max_connections_per_address) {
            let set = self.addresses.entry(address).or_default();
            if set.len() >= most {
                let (other, was_unused) = set.displaceable(now)?;
                self.leave(&other);
                displaced.push((other, was_unused));
            }
        }
        if self.all.len() >= table.limits.max_connections.max(1) {
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

    /// Removes a displaced or ended connection, once.
    fn leave(&mut self, connection: &Connection) {
        if !connection.leave() {
            return;
        }
        self.all.remove(connection);
        if let Some(set) = connection.address.and_then(|address| self.addresses.get_mut(&address)) {
            set.remove(connection);
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
    pub(crate) fn is_busy(&self) {
        self.connection.is_busy();
    }

    /// Records that the latest response is complete, if one was due.
    pub(crate) fn waits(&self, since: Instant) {
        if self.connection.was_busy() {
            self.connection.waits(self.table.since_start(since));
        }
    }

    pub(crate) fn is_displaced(&self) -> bool {
        self.connection.is_gone()
    }

    /// Wakes this task when the connection is displaced.
    pub(crate) fn wake(&self, waker: &std::task::Waker) {
        self.connection.waker.register(waker);
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.table.limits
    }

    pub(crate) fn report(&self, reason: CloseReason) {
        self.table.observer.closed(reason);
    }
}

impl Drop for ConnectionHandle {
    fn drop(&mut self) {
        self.table.observer.ended();
        self.table.locked(|sets| sets.leave(&self.connection));
    }
}
