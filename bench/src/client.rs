//! Calls of `POST`, one after another on a connection. Loads come from wrk, `constant_rate` and `open_loop`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

use crate::Failure;

pub struct Connection(BufReader<TcpStream>);

impl Connection {
    pub fn open(address: &str) -> Result<Self, Failure> {
        let to: SocketAddr = address.parse()?;
        let stream = TcpStream::connect_timeout(&to, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.set_nodelay(true)?;
        Ok(Self(BufReader::new(stream)))
    }

    /// Makes a call. Returns the status and the body.
    pub fn post(&mut self, path: &str, token: &str, body: &str) -> Result<(u16, Vec<u8>), Failure> {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        self.0.get_mut().write_all((head + body).as_bytes())?;
        let (mut status, mut length) = (String::new(), 0);
        self.0.read_line(&mut status)?;
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line)?;
            let line = line.trim_end().to_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(text) = line.strip_prefix("content-length: ") {
                length = text.parse()?;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        Ok((status.split(' ').nth(1).ok_or("an answer without a status")?.parse()?, body))
    }
}

/// Calls `POST /ruc` on a new connection. Returns the status and the body.
pub fn ask(address: &str, token: &str, ruc: &str) -> Result<(u16, Value), Failure> {
    let (status, body) = Connection::open(address)?.post("/ruc", token, &format!(r#"{{"ruc":"{ruc}"}}"#))?;
    Ok((status, serde_json::from_slice(&body)?))
}
