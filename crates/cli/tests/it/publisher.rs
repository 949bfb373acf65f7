//! A fake of a publisher's file server: one file with an ETag, conditional requests, ranges and halted transfers.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// The published file.
pub(crate) struct Published {
    pub(crate) bytes: Vec<u8>,
    pub(crate) etag: String,
    /// The next transfer waits after this number of bytes, until the channel is closed.
    pub(crate) pauses_after: Option<(usize, Receiver<()>)>,
}

/// An answer: its bytes, those after which it waits, and for what.
struct Answer {
    bytes: Vec<u8>,
    pause: Option<(usize, Receiver<()>)>,
}

/// A running file server.
pub(crate) struct Publisher {
    /// The URL of the file.
    pub(crate) url: String,
    published: Arc<Mutex<Published>>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Publisher {
    /// Publishes a file under this name; it also answers under every other.
    pub(crate) fn new(name: &str, bytes: &[u8], etag: &str) -> Self {
        Self::serving(name, Published::new(bytes, etag), |_| None)
    }

    /// Publishes files; `{AAAAMM}` stands for what their names have there.
    pub(crate) fn for_months(name: &str, files: Vec<(String, Vec<u8>)>) -> Self {
        Self::serving(name, Published::new(b"", "\"0\""), move |head| {
            let file = files.iter().find(|(name, _)| head.contains(&format!("/{} ", name.to_lowercase())));
            Some(match file {
                Some((name, bytes)) => Published::new(bytes, &format!("\"{name}\"")).answer(head),
                None => {
                    Answer::short("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".into())
                }
            })
        })
    }

    fn serving(name: &str, file: Published, other: impl Fn(&str) -> Option<Answer> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/{name}", listener.local_addr().unwrap());
        let published = Arc::new(Mutex::new(file));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (of_thread, notes) = (Arc::clone(&published), Arc::clone(&requests));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let head = read_head(&mut stream);
                notes.lock().unwrap().push(head.clone());
                let answer = other(&head);
                let Answer { bytes, pause } = answer.unwrap_or_else(|| of_thread.lock().unwrap().answer(&head));
                let (begin, rest) = bytes.split_at(pause.as_ref().map_or(bytes.len(), |(sent, _)| *sent));
                // The client may close the connection early.
                let _ = stream.write_all(begin);
                if let Some((_, resumed)) = pause {
                    let _ = resumed.recv();
                }
                let _ = stream.write_all(rest);
            }
        });
        Self { url, published, requests }
    }

    /// Publishes another file.
    pub(crate) fn publish(&self, bytes: &[u8], etag: &str) {
        *self.published.lock().unwrap() = Published::new(bytes, etag);
    }

    /// Halts the next transfer after this number of bytes, until the result is dropped.
    pub(crate) fn pause_after(&self, bytes: usize) -> Sender<()> {
        let (sender, resumed) = channel();
        self.published.lock().unwrap().pauses_after = Some((bytes, resumed));
        sender
    }

    /// The heads of all requests so far, in lower case.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

impl Published {
    fn new(bytes: &[u8], etag: &str) -> Self {
        Self { bytes: bytes.to_vec(), etag: etag.to_owned(), pauses_after: None }
    }

    fn answer(&mut self, head: &str) -> Answer {
        let etag = &self.etag;
        if head.contains(&format!("if-none-match: {etag}")) {
            return Answer::short(format!("HTTP/1.1 304 Not Modified\r\nConnection: close\r\nETag: {etag}\r\n\r\n"));
        }
        let whole = self.bytes.len();
        let field = |name| head.lines().find_map(move |line| line.strip_prefix(name));
        let range = field("range: bytes=").and_then(|range| range.strip_suffix('-')?.parse().ok());
        // A part of another version is not continued.
        let range: Option<usize> = range.filter(|_| field("if-range: ").is_none_or(|version| version == *etag));
        let from = range.unwrap_or(0);
        if from > 0 && from >= whole {
            let head = "HTTP/1.1 416 Range Not Satisfiable\r\nConnection: close\r\nContent-Length: 0\r\n";
            return Answer::short(format!("{head}Content-Range: bytes */{whole}\r\n\r\n"));
        }
        let status = match range {
            Some(from) => format!("206 Partial Content\r\nContent-Range: bytes {from}-{}/{whole}", whole - 1),
            None => "200 OK".to_owned(),
        };
        let length = whole - from;
        let head = format!(
            "HTTP/1.1 {status}\r\nConnection: close\r\nETag: {etag}\r\nLast-Modified: Wed, 18 Nov 2026 12:00:00 GMT\r\n\
             Content-Length: {length}\r\n\r\n"
        );
        let pause = self.pauses_after.take().map(|(bytes, resumed)| (head.len() + bytes, resumed));
        Answer { bytes: [head.as_bytes(), &self.bytes[from..]].concat(), pause }
    }
}

impl Answer {
    fn short(text: String) -> Self {
        Self { bytes: text.into_bytes(), pause: None }
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
