//! The client's address, to which limits apply if no user is signed in.

use std::net::{IpAddr, Ipv4Addr};

use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName};
use ipnet::IpNet;

use crate::admission::Actor;
use crate::app::App;
use crate::first_seen::FirstSeen;

/// Header to which each proxy appends the address of its own client.
pub const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address of the other end of the connection. The server adds it to each request.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub IpAddr);

/// Returns the actor for the client's address, even if a user is signed in.
pub fn client_actor(parts: &Parts, app: &App) -> Actor {
    let peer = parts.extensions.get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |Peer(address)| *address);
    Actor::at(client(peer, &parts.headers, &app.http.trusted_proxies))
}

/// Logs a warning for each peer that sends `X-Forwarded-For` and is not a trusted proxy. Without the warning, an
/// operator could only guess why all callers behind a proxy share one limit. Strangers may send the header before the
/// proxy does, so a single warning is not enough. All addresses of an IPv6 network count as one peer, because a
/// stranger who has a whole network could otherwise use up the warnings.
pub fn warn_of_untrusted_proxy(request: &Request, trusted: &[IpNet]) {
    static UNTRUSTED: FirstSeen<Actor> = FirstSeen::new(16);
    let Some(Peer(peer)) = request.extensions().get() else { return };
    let peer = peer.to_canonical();
    if request.headers().contains_key(FORWARDED_FOR) && !is_trusted(peer, trusted) && UNTRUSTED.is_new(Actor::at(peer))
    {
        tracing::warn!(
            address = %peer,
            "requests come with X-Forwarded-For from an address that is not a trusted proxy, so all its callers share one \
             limit; if it is your proxy, add it to trusted-proxies"
        );
    }
}

pub fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    trusted.iter().any(|net| net.contains(&address))
}

/// Returns the client's address. Starts with the peer, and then reads `X-Forwarded-For` from right to left. Stops at
/// the first address that is not a trusted proxy, and before an entry that is not an address.
fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let mut client = peer.to_canonical();
    let lines: Vec<_> = headers.get_all(FORWARDED_FOR).into_iter().collect();
    for named in lines.iter().rev().flat_map(|line| line.as_bytes().rsplit(|byte| *byte == b',')) {
        if !is_trusted(client, trusted) {
            break;
        }
        match address(named) {
            Some(address) => client = address,
            None => break,
        }
    }
    client
}

/// Parses an address in the formats that proxies write: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`.
fn address(text: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let with_port = || text.parse::<std::net::SocketAddr>().ok().map(|address| address.ip());
    let bare = text.trim_start_matches('[').trim_end_matches(']').parse().ok();
    bare.or_else(with_port).map(|address| address.to_canonical())
}

#[cfg(test)]
#[path = "../../tests/unit/http/client_address.rs"]
mod tests;
