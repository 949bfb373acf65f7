//! A server that gives one written answer to each connection, in order, and notes what it was asked.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::unchecked_tls;

/// One answer.
pub(crate) struct Answer {
    bytes: Vec<u8>,
    then: Then,
}

enum Then {
    Close,
    StaySilent,
}

/// An answer after which the connection is closed.
pub(crate) fn answer(status: &str, headers: &[&str], body: impl AsRef<[u8]>) -> Answer {
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n{headers}\r\n");
    Answer { bytes: [head.as_bytes(), body.as_ref()].concat(), then: Then::Close }
}

/// These bytes, after which the connection is closed.
pub(crate) fn raw(bytes: &[u8]) -> Answer {
    Answer { bytes: bytes.to_vec(), then: Then::Close }
}

impl Answer {
    /// The same, with the connection left open in silence.
    pub(crate) fn then_silence(self) -> Self {
        Self { then: Then::StaySilent, ..self }
    }
}

/// The server.
pub(crate) struct Server {
    /// Its address without a path.
    pub(crate) base: String,
    /// The address of a file on it.
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn start(script: impl IntoIterator<Item = Answer>) -> Self {
        Self::start_with(None, script)
    }

    /// The same under https, for clients that check no certificate.
    pub(crate) fn start_unchecked(script: impl IntoIterator<Item = Answer>) -> Self {
        Self::start_with(Some(unchecked_tls::server()), script)
    }

    fn start_with(tls: Option<Arc<ServerConfig>>, script: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let base = format!("{scheme}://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let script: Vec<Answer> = script.into_iter().collect();
        let notes = Arc::clone(&asked);
        thread::spawn(move || {
            let mut silent = Vec::new();
            for answer in script {
                let (socket, _) = listener.accept().unwrap();
                let mut stream = over(socket.try_clone().unwrap(), tls.clone());
                let mut head = Vec::new();
                let mut byte = [0];
                while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() == 1 {
                    head.push(byte[0]);
                }
                let head = String::from_utf8(head).unwrap().to_ascii_lowercase();
                // A body that is not read would reset the connection.
                let length = head.split_once("content-length: ").and_then(|(_, rest)| rest.split("\r\n").next());
                let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
                stream.read_exact(&mut body).unwrap();
                notes.lock().unwrap().push(head + &String::from_utf8(body).unwrap());
                // A client that has read enough may hang up first.
                drop(stream.write_all(&answer.bytes));
                match answer.then {
                    Then::Close => drop(socket.shutdown(Shutdown::Write)),
                    Then::StaySilent => silent.push(socket),
                }
            }
            // The silent connections live until a request comes for which there is no answer, or the tests end.
            drop(listener.accept());
        });
        Self { url: format!("{base}/padron.zip"), base, asked }
    }

    /// The requests so far: heads in lower case, and bodies.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

trait Stream: Read + Write {}

impl<S: Read + Write> Stream for S {}

fn over(socket: TcpStream, tls: Option<Arc<ServerConfig>>) -> Box<dyn Stream> {
    match tls {
        Some(tls) => Box::new(StreamOwned::new(ServerConnection::new(tls).unwrap(), socket)),
        None => Box::new(socket),
    }
}
