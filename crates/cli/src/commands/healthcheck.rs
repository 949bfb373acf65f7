//! `kuraka healthcheck`: asks whether these settings' server is alive, for containers without an HTTP client.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use super::runtime::Failure;

/// For the connection and each part of the answer; `/readyz` waits a second for the store.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Fails unless `/healthz`, or `/readyz` if `ready`, answers 200.
pub(crate) fn run(mut admin: SocketAddr, ready: bool) -> Result<(), Failure> {
    match admin.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => admin.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => admin.set_ip(Ipv6Addr::LOCALHOST.into()),
        IpAddr::V4(_) | IpAddr::V6(_) => {}
    }
    let path = if ready { "/readyz" } else { "/healthz" };
    let status = status(admin, path).map_err(|error| format!("no server answers at {admin}: {error}"))?;
    if status == "200" { Ok(()) } else { Err(format!("{path} at {admin} answers {status:?}").into()) }
}

/// Three digits.
fn status(admin: SocketAddr, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect_timeout(&admin, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {admin}\r\nConnection: close\r\n\r\n")?;
    let mut head = [0; "HTTP/1.1 200".len()];
    stream.read_exact(&mut head)?;
    Ok(String::from_utf8_lossy(&head).trim_start_matches("HTTP/1.1 ").to_owned())
}
