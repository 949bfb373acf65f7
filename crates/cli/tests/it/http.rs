//! A minimal HTTP client: one request and one answer per connection, and a client that keeps its connection.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::Value;

use super::program::DEADLINE;

/// A response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// The value of a header; names are lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.split_once(": ").filter(|(known, _)| *known == name)).map(|(_, v)| v)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn data(&self) -> Value {
        self.json()["data"].take()
    }
}

/// Sends a `GET` request.
pub(crate) fn get(to: SocketAddr, path: &str) -> Answer {
    ask(to, &format!("GET {path} HTTP/1.1\r\nHost: {to}\r\nConnection: close\r\n\r\n")).unwrap()
}

/// Sends a `POST /ruc` for one RUC.
pub(crate) fn lookup(to: SocketAddr, token: &str, ruc: &str) -> io::Result<Answer> {
    ask(to, &lookup_request(token, ruc, "Connection: close\r\n"))
}

/// The text of a `POST /ruc` with additional headers.
pub(crate) fn lookup_request(token: &str, ruc: &str, headers: &str) -> String {
    request("/ruc", token, headers, &format!("{{\"ruc\":\"{ruc}\"}}"))
}

/// The text of a `POST` of JSON with additional headers.
pub(crate) fn request(path: &str, token: &str, headers: &str, body: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: kuraka\r\n{headers}Authorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Sends a `POST` of JSON.
pub(crate) fn post(to: SocketAddr, path: &str, token: &str, body: &str) -> Answer {
    ask(to, &request(path, token, "Connection: close\r\n", body)).unwrap()
}

/// Sends a request with `Connection: close`, and reads the answer.
pub(crate) fn ask(to: SocketAddr, request: &str) -> io::Result<Answer> {
    let mut stream = TcpStream::connect(to)?;
    stream.set_read_timeout(Some(DEADLINE))?;
    stream.write_all(request.as_bytes())?;
    read(&mut stream)
}

/// Reads an answer to the end of its connection.
pub(crate) fn read(stream: &mut TcpStream) -> io::Result<Answer> {
    let mut text = String::new();
    stream.read_to_string(&mut text)?;
    let (head, body) = text.split_once("\r\n\r\n").ok_or(io::ErrorKind::UnexpectedEof)?;
    let status = head.get(9..12).and_then(|status| status.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
    Ok(Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() })
}

/// Whether `/readyz` answers 200. A stopped server is not ready.
pub(crate) fn is_ready(admin: SocketAddr) -> bool {
    let question = format!("GET /readyz HTTP/1.1\r\nHost: {admin}\r\nConnection: close\r\n\r\n");
    ask(admin, &question).is_ok_and(|answer| answer.status == 200)
}

/// The value of a series of `/metrics`.
pub(crate) fn metric(admin: SocketAddr, series: &str) -> u64 {
    let page = get(admin, "/metrics").body;
    let value = page.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    value.unwrap_or_else(|| panic!("no {series} in {page}")).parse().unwrap()
}

/// A client of `POST /ruc` that keeps its connection until the server closes it.
pub(crate) struct Client {
    to: SocketAddr,
    request: String,
    stream: Option<TcpStream>,
}

impl Client {
    pub(crate) fn new(to: SocketAddr, token: &str, ruc: &str) -> Self {
        Self::with_request(to, lookup_request(token, ruc, ""))
    }

    /// A client that repeats this request.
    pub(crate) fn with_request(to: SocketAddr, request: String) -> Self {
        Self { to, request, stream: None }
    }

    /// Sends one request and returns the status.
    pub(crate) fn ask(&mut self) -> io::Result<u16> {
        self.answer().map(|answer| answer.status)
    }

    /// Sends one request and returns the answer.
    pub(crate) fn answer(&mut self) -> io::Result<Answer> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => TcpStream::connect(self.to)?,
        };
        stream.set_read_timeout(Some(DEADLINE))?;
        stream.write_all(self.request.as_bytes())?;
        let (mut read, mut buffer) = (0, [0; 8_192]);
        loop {
            match stream.read(&mut buffer[read..])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                more => read += more,
            }
            let Some(end) = buffer[..read].windows(4).position(|window| window == b"\r\n\r\n") else { continue };
            let head = String::from_utf8_lossy(&buffer[..end]).to_ascii_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
            let whole = end + 4 + length.parse::<usize>().unwrap();
            if read < whole {
                continue;
            }
            // After `Connection: close` the next call opens a new connection.
            if !head.contains("\r\nconnection: close") {
                self.stream = Some(stream);
            }
            let status = head.get(9..12).and_then(|status| status.parse().ok()).ok_or(io::ErrorKind::InvalidData)?;
            let body = String::from_utf8_lossy(&buffer[end + 4..whole]).into_owned();
            return Ok(Answer { status, head, body });
        }
    }
}
