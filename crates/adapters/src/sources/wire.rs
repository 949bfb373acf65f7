//! What every source reads off an answer in the same way: who gave it, and its body within bounds.
//!
//! This module refuses to know what a body means.

use kuraka_ports::Freshness;
use reqwest::Response;
use reqwest::header::CONTENT_ENCODING;
use thiserror::Error;

/// Bytes of a body, counted as they are read. The longest recorded answer has a fortieth of it.
pub const MAX_BODY: usize = 2 << 20;
/// By this header a stand-in for the outside world says that it is one.
const SOURCE_STATUS: &str = "x-source-status";

/// Why there is no body.
#[derive(Debug, Error)]
pub(super) enum BodyError {
    /// The connection broke or dawdled. The address is taken out: it may hold a token.
    #[error(transparent)]
    Transport(reqwest::Error),
    /// Longer than an answer can be.
    #[error("the answer is longer than {MAX_BODY} bytes")]
    TooLong,
    /// Compressed, although it was asked for as it is: what is not compressed cannot grow on arrival.
    #[error("the answer is encoded although it was asked for as it is")]
    Encoded,
}

/// An answer is live, unless a stand-in gave it.
pub(super) fn freshness(response: &Response) -> Freshness {
    let is_stand_in = response.headers().get(SOURCE_STATUS).is_some_and(|value| value == "sandbox");
    if is_stand_in { Freshness::Sandbox } else { Freshness::Live }
}

/// The whole body, counted as it comes.
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
