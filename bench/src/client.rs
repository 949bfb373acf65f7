//! One call of `POST /ruc`, for checks of answers. Loads come from wrk, `constant_rate` and `open_loop`.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

use crate::Failure;

/// Calls on a new connection. Returns the status and the body.
pub fn ask(address: &str, token: &str, ruc: &str) -> Result<(u16, Value), Failure> {
    let to: SocketAddr = address.parse()?;
    let mut stream = TcpStream::connect_timeout(&to, Duration::from_secs(1))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let body = format!(r#"{{"ruc":"{ruc}"}}"#);
    let request = format!(
        "POST /ruc HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or_else(|| format!("{address} gave no answer"))?;
    let status = head.split(' ').nth(1).ok_or("an answer without a status")?.parse()?;
    Ok((status, serde_json::from_str(body)?))
}
