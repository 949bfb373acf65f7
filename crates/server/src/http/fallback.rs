//! Paths and methods that do not exist.

use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use kuraka_domain::ResultCode;

use super::answer::Failure;
use super::body;
use super::edge::Exchange;
use crate::metrics::Operation;

pub(crate) async fn route_not_found(request: HttpRequest, payload: Payload) -> HttpResponse {
    refuse(&request, payload, ResultCode::RouteNotFound, None).await
}

pub(crate) async fn method_not_allowed(request: HttpRequest, payload: Payload) -> HttpResponse {
    refuse(&request, payload, ResultCode::MethodNotAllowed, Some(HeaderValue::from_static("POST"))).await
}

async fn refuse(request: &HttpRequest, payload: Payload, code: ResultCode, allow: Option<HeaderValue>) -> HttpResponse {
    // Whatever it holds: reading it keeps the connection.
    body::read(request, payload).await;
    let mut failure = Failure::new(&Exchange::of(request), Operation::Other, code);
    if let Some(methods) = allow {
        failure = failure.header(ALLOW, methods);
    }
    failure.into_response()
}
