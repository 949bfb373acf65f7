//! Reads a response's status and headers. Pure.

use std::time::Duration;

use kuraka_registry::FileVersion;
use reqwest::StatusCode;
use reqwest::header::{
    CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, LAST_MODIFIED, LOCATION,
};

use super::backoff;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Unchanged,
    Whole {
        total: Option<u64>,
    },
    Rest {
        /// Bytes of the whole file, if announced.
        total: Option<u64>,
    },
    /// Unusable: the next request must ask for the whole file.
    WrongRange,
    /// The server redirects to this URL; empty if it names none.
    Moved(String),
    /// The server failed; another attempt may succeed.
    Failed {
        status: StatusCode,
        retry_after: Option<Duration>,
    },
    Refused(StatusCode),
}

/// `have` is the first requested byte.
pub(super) fn read(status: StatusCode, headers: &HeaderMap, have: u64) -> Answer {
    match status {
        StatusCode::OK => Answer::Whole { total: number(text(headers, CONTENT_LENGTH)) },
        StatusCode::PARTIAL_CONTENT if have > 0 => match text(headers, CONTENT_RANGE).and_then(content_range) {
            Some((first, total)) if first == have => Answer::Rest { total },
            Some(_) | None => Answer::WrongRange,
        },
        StatusCode::RANGE_NOT_SATISFIABLE if have > 0 => Answer::WrongRange,
        StatusCode::NOT_MODIFIED => Answer::Unchanged,
        moved if moved.is_redirection() => Answer::Moved(text(headers, LOCATION).unwrap_or_default().to_owned()),
        status if status.is_server_error() => Answer::Failed { status, retry_after: backoff::asked(headers) },
        refused => Answer::Refused(refused),
    }
}

pub(super) fn version(name: String, headers: &HeaderMap) -> FileVersion {
    let owned = |header| text(headers, header).map(str::to_owned);
    FileVersion { name, etag: owned(ETAG), last_modified: owned(LAST_MODIFIED) }
}

pub(super) fn is_html(headers: &HeaderMap) -> bool {
    let kind = text(headers, CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
    kind.starts_with("text/html") || kind.starts_with("application/xhtml")
}

pub(super) fn begins_like_html(first: &[u8]) -> bool {
    let text = String::from_utf8_lossy(first).to_ascii_lowercase();
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    ["<!doctype html", "<html", "<head", "<body", "<script", "<!--"].iter().any(|start| text.starts_with(start))
}

/// The first byte and the total of `bytes FIRST-LAST/TOTAL`, where the total may be `*`.
fn content_range(value: &str) -> Option<(u64, Option<u64>)> {
    let (range, total) = value.strip_prefix("bytes ")?.split_once('/')?;
    let (first, last) = range.split_once('-')?;
    let (first, last) = (number(Some(first))?, number(Some(last))?);
    let total = if total == "*" { None } else { Some(number(Some(total))?) };
    (first <= last && total.is_none_or(|total| last < total)).then_some((first, total))
}

fn number(text: Option<&str>) -> Option<u64> {
    let text = text?;
    // `parse` accepts a sign.
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, headers: &[(&str, &str)], have: u64) -> Answer {
        let headers = headers
            .iter()
            .map(|(name, value)| (HeaderName::try_from(*name).unwrap(), value.parse().unwrap()))
            .collect();
        read(StatusCode::from_u16(status).unwrap(), &headers, have)
    }

    #[test]
    fn a_range_must_start_where_requested() {
        let range = |value| answer(206, &[("content-range", value)], 5);
        assert_eq!(range("bytes 5-9/10"), Answer::Rest { total: Some(10) });
        assert_eq!(range("bytes 5-9/*"), Answer::Rest { total: None });
        for wrong in ["bytes 0-9/10", "bytes 6-9/10", "bytes 5-9/9", "bytes 5-4/10", "bytes +5-9/10", "5-9/10", ""] {
            assert_eq!(range(wrong), Answer::WrongRange, "{wrong}");
        }
        assert_eq!(answer(206, &[], 5), Answer::WrongRange);
        assert_eq!(answer(416, &[("content-range", "bytes */5")], 5), Answer::WrongRange);
    }

    #[test]
    fn an_unrequested_range_is_refused() {
        let range = [("content-range", "bytes 0-9/10")];
        assert_eq!(answer(206, &range, 0), Answer::Refused(StatusCode::PARTIAL_CONTENT));
        assert_eq!(answer(416, &[], 0), Answer::Refused(StatusCode::RANGE_NOT_SATISFIABLE));
    }

    #[test]
    fn other_statuses_have_their_meaning() {
        assert_eq!(answer(200, &[("content-length", "10")], 5), Answer::Whole { total: Some(10) });
        assert_eq!(answer(200, &[], 0), Answer::Whole { total: None });
        assert_eq!(answer(304, &[], 0), Answer::Unchanged);
        assert_eq!(answer(302, &[("location", "/x")], 0), Answer::Moved("/x".to_owned()));
        assert_eq!(answer(301, &[], 0), Answer::Moved(String::new()));
        assert_eq!(answer(204, &[], 0), Answer::Refused(StatusCode::NO_CONTENT));
        assert_eq!(answer(403, &[], 0), Answer::Refused(StatusCode::FORBIDDEN));
        let busy = answer(503, &[("retry-after", "7")], 0);
        let retry_after = Some(Duration::from_secs(7));
        assert_eq!(busy, Answer::Failed { status: StatusCode::SERVICE_UNAVAILABLE, retry_after });
    }

    #[test]
    fn a_web_page_is_recognised_by_its_first_bytes() {
        for page in ["<!DOCTYPE html>", "\r\n  <HTML lang=es>", "\u{feff}<html>", "<!-- error --><html>"] {
            assert!(begins_like_html(page.as_bytes()), "{page}");
        }
        for file in [&b"PK\x03\x04"[..], b"RUC|NOMBRE", b"", b"\xff\xfe", b"<padron>"] {
            assert!(!begins_like_html(file), "{file:?}");
        }
    }
}
