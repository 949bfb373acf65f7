//! A raw connection: tests can send bytes that no HTTP library would send, and read the answer themselves.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::answer::Answer;
use crate::app::DEADLINE;
use crate::recorder::{Recording, note_test};
use crate::request::Request;

/// A connection to a server.
pub(crate) struct Wire {
    pub(crate) stream: TcpStream,
    /// Bytes that were read after the last answer.
    rest: Vec<u8>,
    recording: Recording,
}

impl Wire {
    pub(crate) async fn open(to: SocketAddr) -> Self {
        note_test();
        let stream = TcpStream::connect(to).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, rest: Vec::new(), recording: Recording::default() }
    }

    /// Sends a request and reads the answer.
    pub(crate) async fn ask(&mut self, request: &Request) -> Answer {
        self.send(&request.bytes()).await;
        let answer = self.read(request.is_head()).await.expect("the server closed the connection without an answer");
        request.check(&answer);
        answer
    }

    /// Sends bytes.
    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        self.recording.sent(bytes);
        self.stream.write_all(bytes).await.unwrap();
    }

    /// Sends bytes; `false` if the server does not accept them any more.
    pub(crate) async fn offer(&mut self, bytes: &[u8]) -> bool {
        self.recording.sent(bytes);
        matches!(timeout(DEADLINE, self.stream.write_all(bytes)).await, Ok(Ok(())))
    }

    /// Reads the next answer; `None` if the server closed the connection instead.
    pub(crate) async fn answer(&mut self) -> Option<Answer> {
        self.read(false).await
    }

    /// Whether the server has closed the connection and nothing is left to read.
    pub(crate) async fn is_closed(&mut self) -> bool {
        self.rest.is_empty() && !self.more().await
    }

    async fn read(&mut self, headless: bool) -> Option<Answer> {
        let head = loop {
            if let Some(end) = self.rest.windows(4).position(|window| window == b"\r\n\r\n") {
                let head: Vec<u8> = self.rest.drain(..end + 4).collect();
                break String::from_utf8(head).unwrap();
            }
            if !self.more().await {
                assert!(self.rest.is_empty(), "an answer was cut: {:?}", String::from_utf8_lossy(&self.rest));
                return None;
            }
        };
        let mut answer = Answer::parse(&head);
        let length = if headless { 0 } else { answer.header("content-length").map_or(0, |l| l.parse().unwrap()) };
        while self.rest.len() < length {
            assert!(self.more().await, "a body was cut after {} of {length} bytes", self.rest.len());
        }
        answer.bytes = self.rest.drain(..length).collect();
        // A workbook is no text.
        answer.body = String::from_utf8_lossy(&answer.bytes).into_owned();
        self.recording.answered(&head, &answer.body);
        Some(answer)
    }

    /// Reads some bytes; `false` at the end of the connection.
    async fn more(&mut self) -> bool {
        let reading = timeout(DEADLINE, self.stream.read_buf(&mut self.rest)).await;
        // A reset is an end of the connection too.
        reading.expect("the server neither answered nor closed").is_ok_and(|read| read > 0)
    }
}
