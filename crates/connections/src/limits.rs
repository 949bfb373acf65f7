//! The deadlines, sizes and numbers of a listener's connections.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use ipnet::IpNet;

/// The networks of trusted reverse proxies. Clones share them, replacements included.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(Arc<ArcSwap<Vec<IpNet>>>);

impl TrustedProxies {
    /// Whether a proxy has this address.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.load().iter().any(|network| network.contains(&address))
    }

    /// Trusts these networks instead.
    pub fn replace(&self, networks: Vec<IpNet>) {
        self.0.store(Arc::new(networks));
    }
}

impl From<Vec<IpNet>> for TrustedProxies {
    fn from(networks: Vec<IpNet>) -> Self {
        Self(Arc::new(ArcSwap::from_pointee(networks)))
    }
}

/// Deadlines, sizes and numbers of a listener's connections.
#[derive(Clone, Debug)]
pub struct Limits {
    /// From the first byte of a head, or from the beginning of the connection, to the end of the head.
    pub head_timeout: Duration,
    /// From the end of a head to the end of the body.
    pub body_timeout: Duration,
    /// A blocked response must have moved at the minimum rate over any 4/3 of this time, after the first third.
    pub response_grace: Duration,
    /// Minimum rate at which a client reads a response, in bytes per second.
    pub response_min_rate: u64,
    /// How long an idle connection is kept.
    pub keep_alive: Duration,
    /// Bytes of a request's head.
    pub max_head_bytes: usize,
    /// Connections in all.
    pub max_connections: usize,
    /// Connections of one client address; an IPv6 network of 64 bits counts as one. `None` = no limit.
    pub max_connections_per_address: Option<usize>,
    /// Networks whose connections are not counted per address, such as a reverse proxy's.
    pub trusted_proxies: TrustedProxies,
}
