//! Wraps the application: reports when a request has begun, its body has ended, and its response is complete.

use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_http::{BoxedPayloadStream, Payload, Request, Response};
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_util::Stream;

use crate::connection_state::{ConnectionState, PendingResponse};

struct ObservedPayload {
    payload: Payload,
    state: Rc<ConnectionState>,
    /// The number of the request.
    request: u64,
    /// Bytes read from the client when they ended with the last part.
    ends_at: Option<u64>,
}

/// A response's body. Dropping it completes the response.
pub(crate) struct ObservedBody {
    body: BoxBody,
    _pending: Option<PendingResponse>,
}

pub(crate) fn begin(request: &mut Request) -> Option<PendingResponse> {
    let state = Rc::clone(request.conn_data::<Rc<ConnectionState>>()?);
    let payload = request.take_payload();
    let has_body = !matches!(payload, Payload::None);
    let pending = state.begin(has_body);
    if has_body {
        let number = state.begun();
        let observed = ObservedPayload { payload, state, request: number, ends_at: None };
        *request.payload() = Payload::Stream { payload: Box::pin(observed) as BoxedPayloadStream };
    }
    Some(pending)
}

pub(crate) fn respond(pending: Option<PendingResponse>, response: Response<BoxBody>) -> Response<ObservedBody> {
    response.map_body(|_, body| ObservedBody { body, _pending: pending })
}

impl Stream for ObservedPayload {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = Pin::new(&mut self.payload).poll_next(context);
        match &next {
            Poll::Ready(Some(Ok(chunk))) => self.ends_at = self.state.last_byte(chunk),
            Poll::Ready(None) => self.state.body_ended(self.ends_at),
            Poll::Ready(Some(Err(_))) | Poll::Pending => {}
        }
        next
    }
}

impl Drop for ObservedPayload {
    fn drop(&mut self) {
        self.state.body_ignored(self.request);
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
