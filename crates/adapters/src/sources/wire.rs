//! What every source reads alike: the sandbox's mark, the time to wait, and a body of limited size.

use std::time::Duration;

use kuraka_ports::{Clock, Freshness, SourceErrorKind};
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, RETRY_AFTER};
use thiserror::Error;

use super::retry_after;

/// In bytes; the longest recorded answer has a fortieth of it.
pub const MAX_BODY: usize = 2 << 20;
/// The header that marks the sandbox's answers.
const SOURCE_STATUS: &str = "x-source-status";

#[derive(Debug, Error)]
pub(super) enum BodyError {
    /// The connection failed or was too slow. The error has no URL, which may hold a token.
    #[error(transparent)]
    Transport(reqwest::Error),
    #[error("the answer is longer than {MAX_BODY} bytes")]
    TooLong,
    /// Compressed, although the request refused compression.
    #[error("the answer is compressed, but the request asked for no compression")]
    Encoded,
}

impl BodyError {
    pub(super) const fn kind(&self) -> SourceErrorKind {
        match self {
            Self::Transport(_) => SourceErrorKind::Unavailable,
            Self::TooLong | Self::Encoded => SourceErrorKind::Unreadable,
        }
    }
}

pub(super) fn freshness(response: &Response) -> Freshness {
    let is_sandbox = response.headers().get(SOURCE_STATUS).is_some_and(|value| value == "sandbox");
    if is_sandbox { Freshness::Sandbox } else { Freshness::Live }
}

pub(super) fn retry_after(response: &Response, clock: &dyn Clock) -> Option<Duration> {
    retry_after::read(response.headers().get(RETRY_AFTER)?.to_str().ok()?, clock.now())
}

pub(super) async fn body(mut response: Response) -> Result<Vec<u8>, BodyError> {
    if response.headers().get(CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
        return Err(BodyError::Encoded);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| BodyError::Transport(error.without_url()))? {
        if body.len() + chunk.len() > MAX_BODY {
            return Err(BodyError::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
