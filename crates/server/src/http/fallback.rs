//! Answers unknown paths and methods.

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::web::{self, Data};
use actix_web::{HttpRequest, HttpResponse};
use kuraka_api::Operation;
use kuraka_domain::ResultCode;

use super::api::Api;
use super::context::{CallTerms, RequestContext};
use super::response::{ApiResponse, Failure};
use super::route::Route;
use super::{body, cors, handle, unserved};

/// Answers what is neither an operation nor a page.
pub(crate) async fn route_not_found(request: HttpRequest, api: Data<Api>, payload: web::Payload) -> HttpResponse {
    let unserved = unserved::name(request.path());
    let route = unserved.map_or(Route::App(&request), Route::Unserved);
    let context = RequestContext::begin(&api, request.head(), route, CallTerms::OTHER);
    if unserved.is_some() && cors::is_preflight(request.head()) {
        return handle::handle(&context, preflight(&context, payload.into_inner())).await.into();
    }
    let mut response = ApiResponse::new(ResultCode::RouteNotFound);
    if let Some(name) = unserved {
        api.metrics.record_unserved(name);
        response = response.with_message(format!(
            "Este servicio no tiene la operación {name}: no es un RUC ni un comprobante que no existe. Lo que sí tiene \
             está en /docs."
        ));
    }
    handle::handle(&context, refuse(&context, payload.into_inner(), response)).await.into()
}

/// Answers a path that a dialect does not have.
pub(crate) async fn no_route(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    refuse(context, payload, ApiResponse::new(ResultCode::RouteNotFound)).await
}

/// Answers an operation's path with a method that is not `allowed`.
pub(crate) async fn method_not_allowed(
    context: &RequestContext<'_>,
    payload: Payload,
    operation: &Operation,
    allowed: String,
) -> Result<ApiResponse, Failure> {
    let is_get = context.request.method == actix_web::http::Method::GET;
    let message = match operation.parameter_path().filter(|_| is_get) {
        // What a client that sends the field in the query string looks for.
        Some(path) => format!("El método no está permitido en esta ruta. Use {allowed}, o GET {path}."),
        None => format!("El método no está permitido en esta ruta. Use {allowed}."),
    };
    let response = ApiResponse::new(ResultCode::MethodNotAllowed)
        .with_message(message)
        .header(ALLOW, HeaderValue::from_str(&allowed).unwrap_or(HeaderValue::from_static("")));
    refuse(context, payload, response).await
}

pub(crate) async fn preflight(context: &RequestContext<'_>, payload: Payload) -> Result<ApiResponse, Failure> {
    refuse(context, payload, ApiResponse::empty(StatusCode::NO_CONTENT)).await
}

async fn refuse(context: &RequestContext<'_>, payload: Payload, response: ApiResponse) -> Result<ApiResponse, Failure> {
    // Reading the body keeps the connection open.
    let body = body::read(context.request, payload, context.terms.body_limit).await;
    Ok(response.with_unread_body(body.into_unread()))
}
