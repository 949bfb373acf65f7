//! Reads one HTTP/1.1 request, as a correct client sends it: bodies have a length; heads and bodies have a limit.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};

/// In bytes, of a head and of a body.
const LIMIT: usize = 64 * 1024;

#[derive(Debug)]
pub(super) struct Request {
    pub(super) method: String,
    /// Without the query.
    pub(super) path: String,
    pub(super) query: String,
    headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Request {
    /// `None` if the client disconnected or sent something else.
    pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<Self>> {
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
                break at;
            }
            if bytes.len() > LIMIT || stream.read_buf(&mut bytes).await? == 0 {
                return Ok(None);
            }
        };
        let mut body = bytes.split_off(end + 4);
        let Some(mut request) = Self::from_head(&String::from_utf8_lossy(&bytes)) else { return Ok(None) };
        let length = request.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0_usize);
        while body.len() < length.min(LIMIT) {
            if stream.read_buf(&mut body).await? == 0 {
                return Ok(None);
            }
        }
        request.body = String::from_utf8_lossy(&body).into_owned();
        Ok(Some(request))
    }

    fn from_head(head: &str) -> Option<Self> {
        let mut lines = head.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target) = (words.next()?, words.next()?);
        words.next().filter(|version| version.starts_with("HTTP/1."))?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let headers = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        Some(Self { method: method.into(), path: path.into(), query: query.into(), headers, body: String::new() })
    }

    /// `name` in lower case.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The part of the path at a template's placeholder; `None` if the path does not match.
    pub(super) fn part_of_path(&self, template: &str, hole: &str) -> Option<&str> {
        let (before, after) = template.split_once(hole)?;
        self.path.strip_prefix(before)?.strip_suffix(after).filter(|part| !part.contains('/'))
    }

    /// `None` if the body is not a form or has no such field.
    pub(super) fn form_field(&self, name: &str) -> Option<String> {
        let is_form = self.header("content-type")?.starts_with("application/x-www-form-urlencoded");
        is_form.then(|| pair(&self.body, name)).flatten()
    }
}

/// A decoded value of `name=value&name=value`.
pub(super) fn pair(pairs: &str, name: &str) -> Option<String> {
    form_urlencoded::parse(pairs.as_bytes()).find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
}
