//! An answer's status, headers and bytes, with the text's charset and compression, correct or faulty.

use std::io::Write;

use encoding_rs::WINDOWS_1252;
use flate2::{Compression, write::GzEncoder};

use super::fault::Coding;

#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// windows-1252, whatever the meta tag says; the header names no charset.
    Html,
    Json,
}

impl Answer {
    pub(super) const fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    pub(super) fn text(status: u16, format: Format, text: &str) -> Self {
        Self::coded(status, format, text, None)
    }

    /// An answer whose bytes are changed by a fault.
    pub(super) fn coded(status: u16, format: Format, text: &str, coding: Option<Coding>) -> Self {
        let natural = || match format {
            Format::Html => windows_1252(text),
            Format::Json => text.as_bytes().to_vec(),
        };
        let utf8 = || text.as_bytes().to_vec();
        let (body, charset, compressed) = match coding {
            None => (natural(), None, false),
            Some(Coding::Windows1252Declared) => (windows_1252(text), Some("windows-1252"), false),
            Some(Coding::Windows1252AsUtf8) => (windows_1252(text), Some("utf-8"), false),
            Some(Coding::Utf8Declared) => (utf8(), Some("utf-8"), false),
            Some(Coding::Utf8Undeclared) => (utf8(), None, false),
            Some(Coding::Utf8AsLatin1) => (utf8(), Some("ISO-8859-1"), false),
            Some(Coding::Utf8Twice) => {
                (WINDOWS_1252.decode_without_bom_handling(text.as_bytes()).0.into_owned().into(), Some("utf-8"), false)
            }
            Some(Coding::Replaced) => {
                let replaced: String = text.chars().map(|c| if c.is_ascii() { c } else { '\u{FFFD}' }).collect();
                (replaced.into(), Some("utf-8"), false)
            }
            Some(Coding::Gzip) => (gzip(&natural(), 0), None, true),
            Some(Coding::GzipBomb(blanks)) => (gzip(&natural(), blanks), None, true),
            Some(Coding::GzipTruncated) => {
                let mut bytes = gzip(&natural(), 0);
                bytes.truncate(bytes.len() / 2);
                (bytes, None, true)
            }
            Some(Coding::GzipGarbage) => (natural(), None, true),
        };
        let kind = match format {
            Format::Html => "text/html",
            Format::Json => "application/json",
        };
        let kind = charset.map_or_else(|| kind.to_owned(), |charset| format!("{kind}; charset={charset}"));
        let mut headers = vec![("Content-Type", kind)];
        if compressed {
            headers.push(("Content-Encoding", "gzip".to_owned()));
        }
        Self { status, headers, body }
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// Other characters become character references.
fn windows_1252(text: &str) -> Vec<u8> {
    WINDOWS_1252.encode(text).0.into_owned()
}

/// The compressed bytes, followed by this many blanks.
fn gzip(bytes: &[u8], mut blanks: usize) -> Vec<u8> {
    const BLANKS: [u8; 16 * 1024] = [b' '; 16 * 1024];
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    while blanks > 0 {
        let some = BLANKS.get(..blanks).unwrap_or(&BLANKS);
        let _ = encoder.write_all(some);
        blanks -= some.len();
    }
    encoder.finish().unwrap_or_default()
}
