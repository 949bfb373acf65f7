//! Whose address a request comes from. Only a trusted proxy's word about it is believed.

use std::net::IpAddr;

use actix_web::HttpRequest;
use ipnet::IpNet;

/// The peer, or, if the peer is a trusted proxy, the last address in `X-Forwarded-For` that is not one itself.
pub(crate) fn client(request: &HttpRequest, trusted: &[IpNet]) -> Option<IpAddr> {
    let peer = request.peer_addr()?.ip().to_canonical();
    if !is_trusted(peer, trusted) {
        return Some(peer);
    }
    let values: Vec<&str> = request.headers().get_all("x-forwarded-for").map_while(|v| v.to_str().ok()).collect();
    let mut client = peer;
    for hop in values.iter().rev().flat_map(|value| value.rsplit(',')) {
        // A word that is no address ends the chain: what stands before it was said by nobody we trust.
        let Ok(address) = hop.trim().parse::<IpAddr>() else { break };
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
