//! A panic on the way to a page becomes the page of an internal error.

use std::panic::AssertUnwindSafe;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use futures_util::FutureExt;

use crate::error::PageError;

/// A middleware that answers for a handler that panicked.
pub(crate) async fn panic_page<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, actix_web::Error> {
    let copy = request.request().clone();
    match AssertUnwindSafe(next.call(request)).catch_unwind().await {
        Ok(response) => Ok(response?.map_into_boxed_body()),
        Err(_) => {
            let error = PageError::Internal("a page panicked, see the line before this one");
            Ok(ServiceResponse::from_err(error, copy))
        }
    }
}
