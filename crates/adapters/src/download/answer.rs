//! Reads a response's status and headers. Pure.

use std::time::Duration;

use jiff::Timestamp;
use kuraka_registry::FileVersion;
use reqwest::StatusCode;
use reqwest::header::{
    CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, DATE, ETAG, HeaderMap, HeaderName, LAST_MODIFIED, LOCATION,
    RETRY_AFTER,
};

use crate::sources::retry_after;

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
        status if status.is_server_error() => Answer::Failed { status, retry_after: asked(headers) },
        refused => Answer::Refused(refused),
    }
}

/// The server's requested wait. A date is compared with its own clock.
fn asked(headers: &HeaderMap) -> Option<Duration> {
    let now = text(headers, DATE).and_then(|date| httpdate::parse_http_date(date).ok());
    let now = now.and_then(|date| Timestamp::try_from(date).ok());
    // Without a clock, a date asks for no wait.
    retry_after::read(text(headers, RETRY_AFTER)?, now.unwrap_or(Timestamp::MAX))
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
