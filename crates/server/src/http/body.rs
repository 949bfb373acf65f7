//! Reads a request's body up to a limit. A refused request's body is also read: with an unread body the connection is
//! closed, and each call would need a new one.
//!
//! A longer body's rest is kept until the response has been sent; actix then closes the connection. Dropped earlier,
//! actix would read all that the client sends.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, RequestHead};
use actix_web::http::Method;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Bytes;
use futures_util::{StreamExt, stream};

/// Bytes over the limit that are read to keep the connection open.
const DRAINED: usize = 64 * 1024;

pub(crate) enum Body {
    /// At most the limit.
    Whole(Vec<u8>),
    /// With the unread rest, if any.
    TooLarge(Option<Unread>),
    /// The connection broke, the framing is wrong, or no body follows; then with the unread rest.
    Broken(Option<Unread>),
}

pub(crate) struct Unread(Payload);

/// A response body that keeps its request's unread rest.
struct KeepingUnread {
    body: BoxBody,
    _unread: Payload,
}

pub(crate) async fn read(request: &RequestHead, mut payload: Payload, limit: usize) -> Body {
    if is_stream(request) {
        return Body::Broken(Some(Unread(payload)));
    }
    let drained = DRAINED.max(limit);
    let declared = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length: u64| length > drained as u64) {
        return Body::TooLarge(Some(Unread(payload)));
    }
    let mut bytes = Vec::new();
    let mut length = 0_usize;
    while let Some(chunk) = payload.next().await {
        let Ok(chunk) = chunk else { return Body::Broken(None) };
        length += chunk.len();
        if length > drained {
            return Body::TooLarge(Some(Unread(payload)));
        }
        if length <= limit {
            bytes.extend_from_slice(&chunk);
        }
    }
    if length > limit { Body::TooLarge(None) } else { Body::Whole(bytes) }
}

/// The beginning of a body, and a payload with all of it.
pub(crate) async fn peek(request: &RequestHead, mut payload: Payload) -> (Vec<u8>, Payload) {
    let (mut bytes, mut error) = (Vec::new(), None);
    while !is_stream(request)
        && bytes.len() <= DRAINED
        && error.is_none()
        && let Some(chunk) = payload.next().await
    {
        match chunk {
            Ok(chunk) => bytes.extend_from_slice(&chunk),
            Err(failed) => error = Some(failed),
        }
    }
    let begin = std::iter::once(Ok(Bytes::from(bytes.clone()))).chain(error.map(Err));
    (bytes, Payload::Stream { payload: Box::pin(stream::iter(begin).chain(payload)) })
}

/// Whether what follows the head is no body and may never end: after CONNECT, or a web socket upgrade unless chunked.
/// Other upgrades are ignored (RFC 9110, 7.8): Java's HTTP client and `curl --http2` ask for `h2c` in every call.
fn is_stream(request: &RequestHead) -> bool {
    let headers = request.headers();
    let is_web_socket = |value: &HeaderValue| value.as_bytes().trim_ascii().eq_ignore_ascii_case(b"websocket");
    request.method == Method::CONNECT
        || (!headers.contains_key(header::TRANSFER_ENCODING) && headers.get_all(header::UPGRADE).any(is_web_socket))
}

impl Body {
    /// Empty unless it is whole.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        if let Self::Whole(bytes) = self { bytes } else { Vec::new() }
    }

    /// Whether it has nothing but blanks.
    pub(crate) fn is_blank(&self) -> bool {
        matches!(self, Self::Whole(bytes) if bytes.trim_ascii().is_empty())
    }

    pub(crate) fn into_unread(self) -> Option<Unread> {
        match self {
            Self::TooLarge(unread) | Self::Broken(unread) => unread,
            Self::Whole(_) => None,
        }
    }
}

impl Unread {
    /// Attaches the rest to a response body.
    pub(crate) fn attach_to(self, body: impl MessageBody + 'static) -> BoxBody {
        BoxBody::new(KeepingUnread { body: body.boxed(), _unread: self.0 })
    }
}

impl MessageBody for KeepingUnread {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}
