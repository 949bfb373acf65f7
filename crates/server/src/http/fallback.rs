//! Paths and methods that do not exist.

use actix_web::http::header::{ALLOW, HeaderValue};
use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use kuraka_domain::ResultCode;

use super::answer::Answer;
use super::{Api, body, edge};
use crate::metrics::Operation;

pub(crate) async fn route_not_found(request: HttpRequest, api: Data<Api>, payload: Payload) -> HttpResponse {
    refuse(request, api, payload, Answer::failed(ResultCode::RouteNotFound)).await
}

pub(crate) async fn only_post(request: HttpRequest, api: Data<Api>, payload: Payload) -> HttpResponse {
    refuse(request, api, payload, allowed("POST")).await
}

pub(crate) async fn only_get(request: HttpRequest, api: Data<Api>, payload: Payload) -> HttpResponse {
    refuse(request, api, payload, allowed("GET")).await
}

fn allowed(method: &'static str) -> Answer {
    Answer::failed(ResultCode::MethodNotAllowed)
        .with_message(format!("El método no está permitido en esta ruta. Use {method}."))
        .header(ALLOW, HeaderValue::from_static(method))
}

async fn refuse(request: HttpRequest, api: Data<Api>, payload: Payload, answer: Answer) -> HttpResponse {
    edge::exchange(request, api, Operation::Other, async |exchange| {
        // Whatever it holds: reading it keeps the connection.
        let body = body::read(&exchange.request, payload).await;
        answer.with_unread_body(body.into_unread())
    })
    .await
}
