//! Callers, among whom the service divides its resources.

use std::net::{IpAddr, Ipv6Addr};

use crate::domain::id::ObjectId;

/// A caller. Rate limits and the shares of resources apply to each caller separately.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// The service itself, or its command line.
    #[default]
    Service,
    User(ObjectId),
    /// A client address. Only the /64 prefix of an IPv6 address is used. This prefix usually belongs to one household.
    Address(IpAddr),
}

impl Actor {
    pub fn at(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (!0 << 64))),
            address => address,
        })
    }
}
