//! A stand-in for the tax authority's file server: one file with a version, conditional requests, ranges, and lines
//! that break.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What is published now.
#[derive(Clone)]
pub(crate) struct Published {
    pub(crate) bytes: Vec<u8>,
    pub(crate) etag: &'static str,
    /// The next transfer breaks after so many bytes.
    pub(crate) breaks_after: Option<usize>,
}

/// The server.
pub(crate) struct Publisher {
    /// The file's address.
    pub(crate) url: String,
    published: Arc<Mutex<Published>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Publisher {
    pub(crate) fn of(bytes: &[u8], etag: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/padron_reducido_ruc.zip", listener.local_addr().unwrap());
        let published = Arc::new(Mutex::new(Published { bytes: bytes.to_vec(), etag, breaks_after: None }));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (of_thread, notes) = (Arc::clone(&published), Arc::clone(&asked));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let head = read_head(&mut stream);
                notes.lock().unwrap().push(head.clone());
                // A client that has heard enough is no failure.
                let _ = stream.write_all(&of_thread.lock().unwrap().answer(&head));
            }
        });
        Self { url, published, asked }
    }

    /// Publishes something else.
    pub(crate) fn publish(&self, bytes: &[u8], etag: &'static str) {
        *self.published.lock().unwrap() = Published { bytes: bytes.to_vec(), etag, breaks_after: None };
    }

    /// Lets the next transfer break.
    pub(crate) fn break_after(&self, bytes: usize) {
        self.published.lock().unwrap().breaks_after = Some(bytes);
    }

    /// The heads of the requests so far, lower case.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Published {
    fn answer(&mut self, head: &str) -> Vec<u8> {
        let etag = self.etag;
        if head.contains(&format!("if-none-match: {etag}")) {
            return format!("HTTP/1.1 304 Not Modified\r\nConnection: close\r\nETag: {etag}\r\n\r\n").into_bytes();
        }
        let whole = self.bytes.len();
        let range = head.lines().find_map(|line| line.strip_prefix("range: bytes=")?.strip_suffix('-')?.parse().ok());
        let from: usize = range.unwrap_or(0);
        let status = match range {
            Some(from) => format!("206 Partial Content\r\nContent-Range: bytes {from}-{}/{whole}", whole - 1),
            None => "200 OK".to_owned(),
        };
        let length = whole - from;
        let head = format!(
            "HTTP/1.1 {status}\r\nConnection: close\r\nETag: {etag}\r\nLast-Modified: Wed, 18 Nov 2026 12:00:00 GMT\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        let sent = self.breaks_after.take().unwrap_or(length);
        [head.as_bytes(), &self.bytes[from..from + sent]].concat()
    }
}

fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        head.push(byte[0]);
    }
    String::from_utf8(head).unwrap().to_ascii_lowercase()
}
