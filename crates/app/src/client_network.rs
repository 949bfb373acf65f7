//! The network of a client, for limits: an IPv6 client has 2⁶⁴ addresses.

use std::net::{IpAddr, Ipv6Addr};

/// An IPv4 address, or the first 64 bits of an IPv6 address. An IPv4-mapped IPv6 address is the IPv4 address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientNetwork(IpAddr);

impl From<IpAddr> for ClientNetwork {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => Self(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into()),
            address @ IpAddr::V4(_) => Self(address),
        }
    }
}

impl ClientNetwork {
    /// The first one.
    #[must_use]
    pub const fn address(self) -> IpAddr {
        self.0
    }
}
