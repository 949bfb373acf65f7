//! Wraps the application: tells the stream when a request has begun, its body has ended, and its answer is complete.

use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_http::{BoxedPayloadStream, Payload, Request, Response};
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_util::Stream;

use super::exchange::{Answering, Exchange, end_of};

/// A request's body that tells the stream when it ends.
struct ObservedPayload {
    payload: Payload,
    exchange: Rc<Exchange>,
    /// The address behind the last byte so far.
    end: usize,
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
    if has_body {
        let observed = ObservedPayload { payload, exchange: Rc::clone(&exchange), end: 0 };
        *request.payload() = Payload::Stream { payload: Box::pin(observed) as BoxedPayloadStream };
    }
    Some(exchange.begin(has_body))
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
            Poll::Ready(Some(Ok(chunk))) => self.end = end_of(chunk),
            Poll::Ready(None) => self.exchange.body_ended(self.end),
            Poll::Ready(Some(Err(_))) | Poll::Pending => {}
        }
        next
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
