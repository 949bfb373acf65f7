//! Reading a request's body, bounded. It is read on every path, refusals included: a connection whose request was
//! not read to its end is closed, and a client that knocks in vain would open a new one for each knock.
//!
//! What is left unread is held until the answer has left: actix closes a connection only then, and reads the chunks
//! of a body that nobody holds for as long as they come.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::HttpRequest;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::http::{Method, header};
use actix_web::web::{Bytes, Payload};
use futures_util::StreamExt;

/// How much of a body that is too large is still read, to keep the connection. No limit of an operation exceeds it.
const DRAINED: usize = 64 * 1024;

/// What came.
pub(crate) enum Body {
    /// At most as many bytes as were allowed.
    Whole(Vec<u8>),
    /// More than that; with the rest of it, where it was not read to its end.
    TooLarge(Option<Unread>),
    /// The connection broke, its framing was wrong, or it is to become something else than HTTP: then with the rest.
    Broken(Option<Unread>),
}

/// The rest of a body.
pub(crate) struct Unread(Payload);

/// An answer's body that holds the rest of its request's.
struct Holding {
    body: BoxBody,
    _unread: Payload,
}

/// Reads a body of at most `limit` bytes.
pub(crate) async fn read(request: &HttpRequest, mut payload: Payload, limit: usize) -> Body {
    // What follows is no body and has no end: nobody would ever be answered.
    if request.method() == Method::CONNECT || request.headers().contains_key(header::UPGRADE) {
        return Body::Broken(Some(Unread(payload)));
    }
    let declared = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if declared.is_some_and(|length: u64| length > DRAINED as u64) {
        return Body::TooLarge(Some(Unread(payload)));
    }
    let mut bytes = Vec::new();
    let mut length = 0_usize;
    while let Some(chunk) = payload.next().await {
        let Ok(chunk) = chunk else { return Body::Broken(None) };
        length += chunk.len();
        if length > DRAINED {
            return Body::TooLarge(Some(Unread(payload)));
        }
        if length <= limit {
            bytes.extend_from_slice(&chunk);
        }
    }
    if length > limit { Body::TooLarge(None) } else { Body::Whole(bytes) }
}

impl Body {
    /// The bytes of a body that came whole; none of another.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Whole(bytes) => bytes,
            Self::TooLarge(_) | Self::Broken(_) => Vec::new(),
        }
    }

    /// What was left unread.
    pub(crate) fn into_unread(self) -> Option<Unread> {
        match self {
            Self::TooLarge(unread) | Self::Broken(unread) => unread,
            Self::Whole(_) => None,
        }
    }
}

impl Unread {
    /// An answer's body that holds it.
    pub(crate) fn held_by(self, body: impl MessageBody + 'static) -> BoxBody {
        BoxBody::new(Holding { body: body.boxed(), _unread: self.0 })
    }
}

impl MessageBody for Holding {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}
