//! Reading a request's body, bounded. It is read on every path, refusals included: a connection whose request was
//! not read to its end must be closed, and a client that knocks in vain would open a new one for each knock.

use actix_web::web::Payload;
use actix_web::{HttpRequest, http::header};
use futures_util::StreamExt;

/// The largest body of a call.
pub(crate) const LIMIT: usize = 4 * 1024;
/// How much of a body that is too large is still read, to keep the connection.
const DRAINED: usize = 64 * 1024;

/// What came.
#[derive(Debug)]
pub(crate) enum Body {
    /// At most [`LIMIT`] bytes.
    Whole(Vec<u8>),
    /// More than that; `drained` tells whether the connection can be kept.
    TooLarge { drained: bool },
    /// The connection broke, or its framing was wrong.
    Broken,
}

pub(crate) async fn read(request: &HttpRequest, mut payload: Payload) -> Body {
    let declared = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length: u64| length > DRAINED as u64) {
        return Body::TooLarge { drained: false };
    }
    let mut bytes = Vec::new();
    let mut length = 0_usize;
    while let Some(chunk) = payload.next().await {
        let Ok(chunk) = chunk else { return Body::Broken };
        length += chunk.len();
        if length > DRAINED {
            return Body::TooLarge { drained: false };
        }
        if length <= LIMIT {
            bytes.extend_from_slice(&chunk);
        }
    }
    if length > LIMIT { Body::TooLarge { drained: true } } else { Body::Whole(bytes) }
}
