//! A builder of requests: `app.post("/ruc").token(&t).json(r#"{"ruc":"…"}"#).send().await`.

use std::net::SocketAddr;

use crate::answer::Answer;
use crate::recorder::note_test;
use crate::schemas;
use crate::wire::Wire;

/// A request that has not been sent.
#[derive(Clone)]
pub(crate) struct Request {
    to: SocketAddr,
    method: String,
    path: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Option<Vec<u8>>,
}

impl Request {
    pub(crate) fn new(to: SocketAddr, method: &str, path: &str) -> Self {
        note_test();
        Self { to, method: method.to_owned(), path: path.to_owned(), headers: Vec::new(), body: None }
    }

    /// Adds a header, even if there is one of that name.
    pub(crate) fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    /// Adds `Authorization: Bearer …`.
    pub(crate) fn token(self, token: &str) -> Self {
        self.header("Authorization", format!("Bearer {token}"))
    }

    /// Sets the body and `Content-Length`.
    pub(crate) fn body(mut self, body: impl AsRef<[u8]>) -> Self {
        self.body = Some(body.as_ref().to_vec());
        self
    }

    /// Sets a JSON body with its content type.
    pub(crate) fn json(self, body: impl AsRef<[u8]>) -> Self {
        self.header("Content-Type", "application/json").body(body)
    }

    /// Sets the JSON body that looks up a RUC.
    pub(crate) fn ruc(self, ruc: &str) -> Self {
        self.json(format!("{{\"ruc\":\"{ruc}\"}}"))
    }

    /// The bytes of the request.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{} {} HTTP/1.1\r\nHost: {}\r\n", self.method, self.path, self.to).into_bytes();
        for (name, value) in &self.headers {
            bytes.extend_from_slice(name.as_bytes());
            bytes.extend_from_slice(b": ");
            bytes.extend_from_slice(value);
            bytes.extend_from_slice(b"\r\n");
        }
        if let Some(body) = &self.body {
            bytes.extend_from_slice(format!("Content-Length: {}\r\n", body.len()).as_bytes());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend(self.body.iter().flatten());
        bytes
    }

    /// Whether the method is `HEAD`, so that the answer has no body.
    pub(crate) fn is_head(&self) -> bool {
        self.method == "HEAD"
    }

    /// Compares an answer with the OpenAPI document.
    pub(crate) fn check(&self, answer: &Answer) {
        schemas::check(&self.method, &self.path, answer);
    }

    /// Sends it over a new connection.
    pub(crate) async fn send(self) -> Answer {
        Wire::open(self.to).await.ask(&self).await
    }
}
