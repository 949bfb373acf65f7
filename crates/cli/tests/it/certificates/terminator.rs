//! Accepts TLS connections and relays each request to a server that speaks plain HTTP.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::program::DEADLINE;

/// A TLS terminator. Its thread ends with the test process.
pub(crate) struct Terminator {
    pub(crate) address: SocketAddr,
    relayed: Arc<AtomicUsize>,
}

impl Terminator {
    /// Starts listening with this certificate, in front of `server`.
    pub(crate) fn start(tls: Arc<ServerConfig>, server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let relayed = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&relayed);
        thread::spawn(move || {
            for client in listener.incoming() {
                // A client that refuses the certificate ends the handshake, which is an error here.
                let Ok(request) = relay(client.unwrap(), Arc::clone(&tls), server) else { continue };
                count.fetch_add(usize::from(request > 0), Ordering::SeqCst);
            }
        });
        Self { address, relayed }
    }

    /// How many requests arrived.
    pub(crate) fn relayed(&self) -> usize {
        self.relayed.load(Ordering::SeqCst)
    }
}

/// Relays one request and its answer, and closes the connection. Returns the length of the request.
fn relay(client: TcpStream, tls: Arc<ServerConfig>, server: SocketAddr) -> io::Result<usize> {
    client.set_read_timeout(Some(DEADLINE))?;
    let connection = ServerConnection::new(tls).map_err(io::Error::other)?;
    let mut client = StreamOwned::new(connection, client);
    let mut request = Vec::new();
    let mut buffer = [0; 4_096];
    while !is_whole(&request) {
        match client.read(&mut buffer)? {
            0 => return Ok(0),
            read => request.extend_from_slice(&buffer[..read]),
        }
    }
    let mut server = TcpStream::connect(server)?;
    server.write_all(&request)?;
    let mut answer = Vec::new();
    server.read_to_end(&mut answer)?;
    client.write_all(&answer)?;
    client.conn.send_close_notify();
    client.flush()?;
    Ok(request.len())
}

fn is_whole(request: &[u8]) -> bool {
    let Some(end) = request.windows(4).position(|window| window == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&request[..end]).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    request.len() >= end + 4 + length.map_or(0, |length| length.parse().unwrap())
}
