//! The client's address. `X-Forwarded-For` counts only from a trusted proxy.

use std::net::{IpAddr, SocketAddr};

use actix_web::dev::RequestHead;
use actix_web::http::header::HeaderValue;
use kuraka_connections::TrustedProxies;

/// The peer's address or, of a trusted proxy, the last untrusted address in `X-Forwarded-For`.
pub(crate) fn client(request: &RequestHead, trusted: &TrustedProxies) -> Option<IpAddr> {
    let peer = request.peer_addr?.ip().to_canonical();
    if !trusted.contains(peer) {
        return Some(peer);
    }
    let values: Vec<&HeaderValue> = request.headers().get_all("x-forwarded-for").collect();
    let mut client = peer;
    // From the end and as bytes, so that a client's invalid text cannot hide what a proxy appended.
    for hop in values.iter().rev().flat_map(|value| value.as_bytes().rsplit(|byte| *byte == b',')) {
        // Other text ends the chain: no trusted proxy wrote the entries before it.
        let Some(address) = str::from_utf8(hop).ok().and_then(|hop| entry(hop.trim())) else { break };
        client = address.to_canonical();
        if !trusted.contains(client) {
            break;
        }
    }
    Some(client)
}

/// An entry's address. Some proxies add a port or brackets: `192.0.2.1:567`, `[2001:db8::1]:567`.
fn entry(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().or_else(|_| text.parse().map(|with_port: SocketAddr| with_port.ip())).ok()
}
