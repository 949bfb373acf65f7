//! Answers calls to paths and methods that do not exist.

use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::web::{self, Data, Payload};
use actix_web::{HttpRequest, HttpResponse, Route};
use kuraka_api::Method;
use kuraka_domain::ResultCode;

use super::api::Api;
use super::call_terms::CallTerms;
use super::response::ApiResponse;
use super::{body, handle};

pub(crate) async fn route_not_found(request: HttpRequest, api: Data<Api>, payload: Payload) -> HttpResponse {
    refuse(request, api, payload, ApiResponse::failed(ResultCode::RouteNotFound)).await
}

/// The route for all methods except `allowed`.
pub(crate) fn method_not_allowed(allowed: Method) -> Route {
    let allowed = allowed.as_str();
    web::to(move |request: HttpRequest, api: Data<Api>, payload: Payload| {
        let response = ApiResponse::failed(ResultCode::MethodNotAllowed)
            .with_message(format!("El método no está permitido en esta ruta. Use {allowed}."))
            .header(ALLOW, HeaderValue::from_static(allowed));
        refuse(request, api, payload, response)
    })
}

async fn refuse(request: HttpRequest, api: Data<Api>, payload: Payload, response: ApiResponse) -> HttpResponse {
    handle::handle(request, api, CallTerms::OTHER, async |context| {
        // Reading the body keeps the connection open.
        let body = body::read(&context.request, payload, context.terms.body_limit).await;
        response.with_unread_body(body.into_unread())
    })
    .await
}
