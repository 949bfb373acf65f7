//! Short texts, such as a file's checksum.

use futures_util::StreamExt;
use reqwest::{Client, StatusCode};

use super::answer::{self, Answer};
use super::backoff;
use super::error::{Broken, DownloadError};
use super::redirect;

/// Bytes of the longest text.
const LIMIT: u64 = 4_096;

/// Makes one attempt at the text at `url`.
pub(super) async fn attempt(client: &Client, url: &str) -> Result<Result<String, Broken>, DownloadError> {
    let broken = |error: reqwest::Error| Ok(Err(Broken::Connection(error.without_url())));
    let response = match client.get(url).send().await {
        Ok(response) => response,
        Err(source) if source.is_builder() => {
            return Err(DownloadError::Address { url: url.to_owned(), source: source.without_url() });
        }
        Err(error) => return broken(error),
    };
    let status = response.status();
    if status.is_server_error() {
        return Ok(Err(Broken::Status { status, retry_after: backoff::asked(response.headers()) }));
    }
    if let Answer::Moved(location) = answer::read(status, response.headers(), 0) {
        return Err(DownloadError::Redirect { url: url.to_owned(), location: redirect::shown(&location) });
    }
    if status != StatusCode::OK {
        return Err(DownloadError::Status { url: url.to_owned(), status });
    }
    let mut text = Vec::new();
    let mut body = response.bytes_stream();
    while let Some(bytes) = body.next().await {
        match bytes {
            Ok(bytes) => text.extend_from_slice(&bytes),
            Err(error) => return broken(error),
        }
        if text.len() as u64 > LIMIT {
            return Err(DownloadError::TooLarge { url: url.to_owned(), limit: LIMIT });
        }
    }
    Ok(Ok(String::from_utf8_lossy(&text).into_owned()))
}
