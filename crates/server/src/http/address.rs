//! Whose address a request comes from. Only a trusted proxy's word about it is believed.

use std::net::IpAddr;

use actix_web::HttpRequest;
use actix_web::http::header::HeaderValue;
use ipnet::IpNet;

/// The peer, or, if the peer is a trusted proxy, the last address in `X-Forwarded-For` that is not one itself.
pub(crate) fn client(request: &HttpRequest, trusted: &[IpNet]) -> Option<IpAddr> {
    let peer = request.peer_addr()?.ip().to_canonical();
    if !is_trusted(peer, trusted) {
        return Some(peer);
    }
    let values: Vec<&HeaderValue> = request.headers().get_all("x-forwarded-for").collect();
    let mut client = peer;
    // From the end, and as bytes: what a stranger wrote at the beginning cannot hide what a proxy added behind it.
    for hop in values.iter().rev().flat_map(|value| value.as_bytes().rsplit(|byte| *byte == b',')) {
        // A word that is no address ends the chain: what stands before it was said by nobody we trust.
        let Some(address) = str::from_utf8(hop).ok().and_then(|hop| hop.trim().parse::<IpAddr>().ok()) else { break };
        client = address.to_canonical();
        if !is_trusted(client, trusted) {
            break;
        }
    }
    Some(client)
}

fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    trusted.iter().any(|network| network.contains(&address))
}
