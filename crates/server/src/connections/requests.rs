//! Wraps the application: tells the stream when a request has begun, its body has ended, and its answer is complete.

use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_http::{BoxedPayloadStream, Payload, Request, Response};
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_util::Stream;

use super::exchange::{Answering, Exchange};

/// A request's body that tells the stream when it ends.
struct ObservedPayload {
    payload: Payload,
    exchange: Rc<Exchange>,
    /// The number of the request.
    request: u64,
    /// The number of bytes that were read from the client when the last part was their end.
    ends_at: Option<u64>,
}

/// A response's body. It is dropped when all of it has been taken, which completes the answer.
pub(crate) struct ObservedBody {
    body: BoxBody,
    _answering: Option<Answering>,
}

/// Begins a request, and observes its body.
pub(super) fn begin(request: &mut Request) -> Option<Answering> {
    let exchange = Rc::clone(request.conn_data::<Rc<Exchange>>()?);
    let payload = request.take_payload();
    let has_body = !matches!(payload, Payload::None);
    let answering = exchange.begin(has_body);
    if has_body {
        let number = exchange.begun();
        let observed = ObservedPayload { payload, exchange, request: number, ends_at: None };
        *request.payload() = Payload::Stream { payload: Box::pin(observed) as BoxedPayloadStream };
    }
    Some(answering)
}

/// Keeps `answering` until the response's body has been taken.
pub(super) fn answer(answering: Option<Answering>, response: Response<BoxBody>) -> Response<ObservedBody> {
    response.map_body(|_, body| ObservedBody { body, _answering: answering })
}

impl Stream for ObservedPayload {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.payload).poll_next(context);
        match &next {
            Poll::Ready(Some(Ok(chunk))) => self.ends_at = self.exchange.last_byte(chunk),
            Poll::Ready(None) => self.exchange.body_ended(self.ends_at),
            Poll::Ready(Some(Err(_))) | Poll::Pending => {}
        }
        next
    }
}

impl Drop for ObservedPayload {
    fn drop(&mut self) {
        self.exchange.body_ignored(self.request);
    }
}

impl MessageBody for ObservedBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}
