//! Turns a panic of a handler into the page of an internal error.

use std::panic::AssertUnwindSafe;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use futures_util::FutureExt;

use crate::error::PageError;

/// A middleware that catches the panic of a handler.
pub(crate) async fn panic_page<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse, actix_web::Error> {
    let copy = request.request().clone();
    match AssertUnwindSafe(next.call(request)).catch_unwind().await {
        Ok(response) => Ok(response?.map_into_boxed_body()),
        Err(_) => {
            let error = PageError::Internal("a page panicked; the line before this one holds the panic");
            Ok(ServiceResponse::from_err(error, copy))
        }
    }
}
