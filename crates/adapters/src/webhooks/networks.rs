//! Allowed addresses, the network as this machine sees it, and the resolver that lets only the allowed ones through.

use std::net::{IpAddr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;

use ipnet::IpNet;
use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use thiserror::Error;

/// Assigned to the public internet; all other IPv6 addresses are refused.
const GLOBAL_UNICAST: &str = "2000::/3";
/// Not in the public internet, by RFC 6890 and its successors.
const NOT_PUBLIC: [&str; 19] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
];

/// The networks that deliveries may go to.
#[derive(Clone, Debug)]
pub struct Networks {
    allowed: Arc<[IpNet]>,
    not_public: Arc<[IpNet]>,
    global_unicast: Option<IpNet>,
}

impl Networks {
    /// The public network, and these.
    pub fn with(allowed: &[IpNet]) -> Self {
        let not_public = NOT_PUBLIC.iter().filter_map(|text| text.parse().ok()).collect();
        Self { allowed: allowed.into(), not_public, global_unicast: GLOBAL_UNICAST.parse().ok() }
    }

    /// Whether there is none but the public one.
    pub(super) fn is_empty(&self) -> bool {
        self.allowed.is_empty()
    }

    /// Whether an address is in an allowed network or, if `public`, in the public network and not of this machine.
    pub fn permit(&self, machine: &dyn MachineNetwork, address: IpAddr, public: bool) -> bool {
        // `::ffff:10.0.0.1` is 10.0.0.1.
        let address = address.to_canonical();
        let is_in = |networks: &[IpNet]| networks.iter().any(|network| network.contains(&address));
        let is_assigned = || address.is_ipv4() || is_in(self.global_unicast.as_slice());
        is_in(&self.allowed) || public && is_assigned() && !is_in(&self.not_public) && !machine.is_own(address)
    }
}

/// The address of a URL whose host is an address and not a name.
pub(super) fn literal(url: &Url) -> Option<IpAddr> {
    let host = url.host_str()?;
    match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(host) => host.parse::<Ipv6Addr>().ok().map(IpAddr::V6),
        None => host.parse().ok(),
    }
}

/// None of a name's addresses is allowed.
#[derive(Debug, Error)]
#[error("no address of the name is allowed")]
pub(super) struct AddressNotAllowedError;

/// The network as this machine sees it: the addresses of names, and its own.
pub trait MachineNetwork: Resolve {
    /// Whether this machine has an address.
    fn is_own(&self, address: IpAddr) -> bool;
}

pub struct SystemResolver;

impl MachineNetwork for SystemResolver {
    /// A socket can be bound to it. Where sockets may have foreign addresses, one of the documentation can be bound
    /// too.
    fn is_own(&self, address: IpAddr) -> bool {
        let foreign = if address.is_ipv4() { "192.0.2.1:0" } else { "[2001:db8::1]:0" };
        UdpSocket::bind((address, 0)).is_ok() && UdpSocket::bind(foreign).is_err()
    }
}

impl Resolve for SystemResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

/// Drops a name's forbidden addresses; fails if none is left.
pub(super) struct GuardedResolver {
    pub(super) networks: Networks,
    /// Whether the public network is allowed.
    pub(super) public: bool,
    pub(super) machine: Arc<dyn MachineNetwork>,
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (networks, machine, public) = (self.networks.clone(), Arc::clone(&self.machine), self.public);
        let found = machine.resolve(name);
        Box::pin(async move {
            let is_allowed = |to: &SocketAddr| networks.permit(&*machine, to.ip(), public);
            let allowed: Vec<SocketAddr> = found.await?.filter(is_allowed).collect();
            if allowed.is_empty() {
                return Err(AddressNotAllowedError.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}
